header { package calculator; }
// A lexer, a parser and a tree parser.
class CalcParser extends Parser;
options { buildAST = true; k = 2; defaultErrorHandler = true; }
tokens { NEGATED; CALL; }
program : ( statement )* EOF! ;
statement : ( ID ASSIGN ) => ID ASSIGN^ expr SEMI! | expr SEMI! ;
expr : term ( ( PLUS^ | MINUS^ ) term )* ;
term : factor ( ( STAR^ | SLASH^ ) factor )* ;
factor
    : INT
    | STRING
    | id:ID ( LPAREN! arguments RPAREN! { #factor = #([CALL, "call"], #factor); } )?
    | LPAREN! expr RPAREN!
    | m:MINUS^ factor { #m.setType(NEGATED); }
    ;
    exception catch [RecognitionException ex] { reportError(ex); }
arguments : ( expr ( COMMA! expr )* )? ;

class CalcLexer extends Lexer;
options { k = 2; charVocabulary = '\3'..'\377'; testLiterals = false; }
WS : ( ' ' | '\t' | ( "\r\n" | '\n' ) { newline(); } ) { $setType(Token.SKIP); } ;
COMMENT : "/*" ( options { greedy = false; } : . )* "*/" { $setType(Token.SKIP); } ;
ID options { testLiterals = true; } : ( 'a'..'z' | 'A'..'Z' | '_' ) ( 'a'..'z' | 'A'..'Z' | '_' | '0'..'9' )* ;
INT : ( DIGIT )+ ( '.' ( DIGIT )+ )? ;
protected DIGIT : '0'..'9' ;
STRING : '"'! ( ESC | ~( '"' | '\\' ) )* '"'! ;
protected ESC : '\\' ( 'n' | 't' | '"' | '\\' ) ;
PLUS : '+' ; MINUS : '-' ; STAR : '*' ; SLASH : '/' ; LPAREN : '(' ; RPAREN : ')' ; SEMI : ';' ; COMMA : ',' ; ASSIGN : '=' ;

class CalcTree extends TreeParser;
program returns [double r = 0] : ( r = expr )* ;
expr returns [double r = 0] { double a, b; }
    : #( PLUS a = expr b = expr ) { r = a + b; }
    | #( MINUS a = expr b = expr ) { r = a - b; }
    | #( STAR a = expr b = expr ) { r = a * b; }
    | #( SLASH a = expr b = expr ) { r = a / b; }
    | #( NEGATED a = expr ) { r = -a; }
    | #( ASSIGN ID a = expr ) { r = a; }
    | #( CALL ID ( a = expr )* )
    | i:INT { r = Double.parseDouble(i.getText()); }
    | STRING
    | ID
    ;
