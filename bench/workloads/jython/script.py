"""What small Jython programs do: classes, text, files, modules of the library, threads, and Java's own classes."""
import json
import os
import re
import threading
import time
from collections import OrderedDict, defaultdict

from java.lang import Runnable, StringBuilder, System, Thread
from java.util import ArrayList, Collections, Comparator, HashMap


class Account(object):
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.log = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("not a deposit: %d" % amount)
        self.balance += amount
        self.log.append(("deposit", amount))

    @property
    def summary(self):
        return "%s has %d" % (self.owner, self.balance)

    def __lt__(self, other):
        return self.balance < other.balance

    def __repr__(self):
        return "Account(%r, %d)" % (self.owner, self.balance)


class Longest(Comparator):
    def compare(self, one, other):
        return len(other) - len(one)

    def equals(self, other):
        return self is other


class Job(Runnable):
    def __init__(self, done):
        self.done = done

    def run(self):
        self.done.append(Thread.currentThread().getName())


def fibonacci(n):
    a, b = 0, 1
    while n:
        yield a
        a, b = b, a + b
        n -= 1


def words(path):
    counts = defaultdict(int)
    with open(path) as lines:
        for line in lines:
            for word in re.findall(r"[A-Za-z]+", line):
                counts[word.lower()] += 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def main():
    accounts = [Account("Ada", 10), Account("Bob"), Account("Cy", 3)]
    for number, account in enumerate(accounts):
        account.deposit(number * 5 + 1)
    try:
        accounts[0].deposit(-1)
    except ValueError as error:
        print("caught %s" % error)
    print(sorted(accounts), max(accounts).summary)
    print(list(fibonacci(15)), sum(x * x for x in range(10) if x % 2), 2 ** 100, 7.0 / 3)

    text = json.dumps(OrderedDict([("name", "jython"), ("parts", [1, 2.5, None, True])]))
    print(text, json.loads(text)["parts"])
    with open("written.txt", "w") as out:
        out.write("the cat and the dog and the bird\n" * 3)
    print(words("written.txt"), os.path.getsize("written.txt"))
    os.remove("written.txt")
    print(re.sub(r"(\d+)", lambda match: str(int(match.group(1)) * 2), "a1b22c333"))

    names = ArrayList(["one", "three", "seventeen"])
    Collections.sort(names, Longest())
    table = HashMap()
    for name in names:
        table.put(name, name.length() if hasattr(name, "length") else len(name))
    print(names, table, StringBuilder("abc").reverse(), System.getProperty("java.version") is not None)

    done = []
    thread = Thread(Job(done), "java-thread")
    thread.start()
    thread.join()
    other = threading.Thread(target=lambda: done.append("python-thread"))
    other.start()
    other.join()
    print(done, time.time() > 0)
    eval(compile("print('executed %d' % (6 * 7))", "<script>", "exec"))
    print(eval("[n for n in range(5)]"))


if __name__ == "__main__":
    main()
