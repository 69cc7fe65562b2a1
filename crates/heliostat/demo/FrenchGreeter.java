package demo;

class FrenchGreeter implements Greeter {
    @Override
    public String greet(String name) {
        return "Bonjour, " + name + " !";
    }
}
