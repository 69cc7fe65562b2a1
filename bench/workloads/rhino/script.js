// What small Rhino programs do: closures, prototypes, text, exceptions, and Java's own classes.
function Shape(name) { this.name = name; }
Shape.prototype.area = function () { return 0; };
Shape.prototype.toString = function () { return this.name + " of " + this.area().toFixed(2); };
function Circle(r) { Shape.call(this, "circle"); this.r = r; }
Circle.prototype = new Shape("none");
Circle.prototype.area = function () { return Math.PI * this.r * this.r; };
function Square(a) { Shape.call(this, "square"); this.a = a; }
Square.prototype = new Shape("none");
Square.prototype.area = function () { return this.a * this.a; };

var shapes = [new Circle(1), new Square(2), new Circle(0.5)];
shapes.sort(function (x, y) { return x.area() - y.area(); });
print(shapes.join("; "));

function counter() { var n = 0; return { next: function () { return ++n; }, get value() { return n; } }; }
var c = counter();
for (var i = 0; i < 10; i++) c.next();
print("counted " + c.value);

print("one two  three".split(/\s+/).map(function (w) { return w.charAt(0).toUpperCase() + w.slice(1); }));
print("2026-11-16".replace(/(\d+)-(\d+)-(\d+)/, "$3.$2.$1"));
print(JSON.stringify({ a: [1, 2, { b: null }], when: new Date(0).toISOString() }));
print(JSON.parse('{"x": [1, 2, 3]}').x.reduce(function (s, x) { return s + x; }, 0));

try { null.field; } catch (e) { print("caught " + e.name); }
try { java.lang.Integer.parseInt("x"); } catch (e) { print("caught " + e.javaException.getClass().getName()); }

var list = new java.util.ArrayList();
["b", "c", "a"].forEach(function (s) { list.add(s); });
java.util.Collections.sort(list, new java.util.Comparator({ compare: function (a, b) { return b.compareTo(a); } }));
print(list + " " + list.size() + " " + java.lang.System.getProperty("file.separator"));

var done = [];
var thread = new java.lang.Thread(new java.lang.Runnable({ run: function () { done.push("ran"); } }));
thread.start();
thread.join();
print(done);
with ({ inner: 5 }) { print(inner * 2); }
for (var key in { x: 1, y: 2 }) print(key);
print(eval("(function (n) { return n < 2 ? 1 : n * arguments.callee(n - 1); })(20)"));
switch (typeof shapes) { case "object": print("an object"); break; default: print("?"); }
label: for (var p = 0; p < 3; p++) { for (var q = 0; q < 3; q++) { if (q == 1) continue label; print(p + "," + q); } }
