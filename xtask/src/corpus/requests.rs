//! What a server is asked: plain HTTP, one connection for each request.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use crate::programs::Request;

/// How long a server may take to come up, traced.
const START: Duration = Duration::from_secs(4 * 60);

/// How long it may take to answer.
const ANSWER: Duration = Duration::from_secs(60);

const PAUSE: Duration = Duration::from_millis(200);

/// Waits until the first request is answered well, then sends the others. Gives up if the server has ended.
pub(super) fn ask(
    port: u16,
    requests: &[Request],
    mut has_ended: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let started = Instant::now();
    let Some((first, rest)) = requests.split_first() else { bail!("a server, and nothing to ask it") };
    while !matches!(send(port, first), Ok(200..300)) {
        ensure!(!has_ended()?, "it ended before it answered");
        ensure!(started.elapsed() < START, "it does not answer {}", first.path);
        thread::sleep(PAUSE);
    }
    for request in rest {
        let status = send(port, request)?;
        ensure!((200..300).contains(&status), "{} is answered with {status}", request.path);
    }
    Ok(())
}

/// The status of the answer.
fn send(port: u16, request: &Request) -> Result<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(ANSWER))?;
    stream.write_all(message(port, request).as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.split_whitespace().nth(1).and_then(|status| status.parse().ok());
    status.map_or_else(|| bail!("{} is not answered in HTTP", request.path), Ok)
}

fn message(port: u16, request: &Request) -> String {
    let Request { path, body } = request;
    let host = format!("Host: localhost:{port}\r\nConnection: close\r\nAccept: */*\r\n");
    match body {
        None => format!("GET {path} HTTP/1.1\r\n{host}\r\n"),
        Some(body) => {
            let length = body.len();
            let content = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
            format!("POST {path} HTTP/1.1\r\n{host}{content}\r\n{body}")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn request(path: &str, body: Option<&str>) -> Request {
        Request { path: path.to_owned(), body: body.map(str::to_owned) }
    }

    /// Answers one request after another with these states; gives what it was asked.
    fn serve(states: &'static [u16]) -> (u16, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let answer = move |state: &u16| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut bytes = [0; 1024];
            let length = stream.read(&mut bytes).unwrap();
            write!(stream, "HTTP/1.1 {state} X\r\n\r\n").unwrap();
            String::from_utf8_lossy(&bytes[..length]).lines().next().unwrap().to_owned()
        };
        (port, thread::spawn(move || states.iter().map(answer).collect()))
    }

    #[test]
    fn the_first_request_is_repeated_until_it_is_answered_well() {
        let (port, asked) = serve(&[503, 200, 202]);
        let requests = [request("/health", None), request("/spans", Some("[]"))];
        ask(port, &requests, || Ok(false)).unwrap();
        let asked = asked.join().unwrap();
        assert_eq!(asked, ["GET /health HTTP/1.1", "GET /health HTTP/1.1", "POST /spans HTTP/1.1"]);
    }

    #[test]
    fn a_bad_answer_and_an_early_end_are_told() {
        let (port, _asked) = serve(&[200, 404]);
        let requests = [request("/", None), request("/gone", None)];
        let error = ask(port, &requests, || Ok(false)).unwrap_err();
        assert_eq!(error.to_string(), "/gone is answered with 404");
        let error = ask(1, &requests, || Ok(true)).unwrap_err();
        assert_eq!(error.to_string(), "it ended before it answered");
    }
}
