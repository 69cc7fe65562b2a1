-- What small databases do: tables, keys, indexes, queries with joins and groups, updates, views, transactions.
CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(100) NOT NULL, born DATE, credit DECIMAL(10, 2) DEFAULT 0);
CREATE TABLE purchase (id IDENTITY PRIMARY KEY, customer INT NOT NULL, item VARCHAR(50), price DECIMAL(10, 2), at TIMESTAMP,
  FOREIGN KEY (customer) REFERENCES customer (id) ON DELETE CASCADE, CHECK (price >= 0));
CREATE INDEX purchase_item ON purchase (item);
INSERT INTO customer VALUES (1, 'Ada', DATE '1985-12-10', 100), (2, 'Bob', NULL, 5.5), (3, 'Cy', DATE '2001-02-28', 0);
INSERT INTO purchase (customer, item, price, at)
  SELECT MOD(x, 3) + 1, 'item' || MOD(x, 7), x * 1.25, DATEADD('HOUR', x, TIMESTAMP '2026-01-01 00:00:00') FROM SYSTEM_RANGE(1, 500);
SELECT c.name, COUNT(*), SUM(p.price), AVG(p.price), MIN(p.at), MAX(p.item) FROM customer c JOIN purchase p ON p.customer = c.id
  GROUP BY c.name HAVING SUM(p.price) > 10 ORDER BY 3 DESC;
SELECT name, UPPER(name), LENGTH(name), COALESCE(born, DATE '1970-01-01'), CASE WHEN credit > 50 THEN 'rich' ELSE 'poor' END
  FROM customer WHERE name LIKE '%b%' OR id IN (SELECT customer FROM purchase WHERE price BETWEEN 100 AND 200) ORDER BY name;
SELECT item, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY price) FROM purchase WHERE price < 20;
CREATE VIEW spending AS SELECT customer, SUM(price) AS total FROM purchase GROUP BY customer;
SELECT * FROM spending WHERE total > (SELECT AVG(total) FROM spending);
UPDATE customer SET credit = credit + (SELECT total FROM spending WHERE customer = id) WHERE id < 3;
SET AUTOCOMMIT FALSE;
DELETE FROM purchase WHERE item = 'item3';
ROLLBACK;
DELETE FROM customer WHERE id = 3;
COMMIT;
CREATE TABLE doc (id INT PRIMARY KEY, body CLOB, data BLOB, tags VARCHAR ARRAY, extra JSON);
INSERT INTO doc VALUES (1, REPEAT('text ', 2000), X'CAFEBABE', ARRAY['a', 'b'], JSON '{"a": [1, 2]}');
SELECT id, LENGTH(body), data, tags[1], extra FROM doc;
ALTER TABLE doc ADD COLUMN more INT DEFAULT 7;
MERGE INTO customer KEY (id) VALUES (2, 'Robert', NULL, 1), (4, 'Di', NULL, 2);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT SUM(i) FROM n;
EXPLAIN SELECT * FROM purchase WHERE item = 'item1' AND price > 3;
SCRIPT NODATA;
DROP TABLE doc;
SHUTDOWN COMPACT;
