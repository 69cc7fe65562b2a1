import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Indexes text files and searches them, as DaCapo's luindex and lusearch do. */
public class IndexAndSearch {
    /** The folder of the index, the word to search, the files. */
    public static void main(String[] arguments) throws IOException {
        try (Directory directory = FSDirectory.open(Path.of(arguments[0]))) {
            index(directory, arguments);
            search(directory, arguments[1]);
        }
    }

    private static void index(Directory directory, String[] arguments) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 2; i < arguments.length; i++) {
                Path file = Path.of(arguments[i]);
                Document document = new Document();
                document.add(new StringField("path", file.toString(), Field.Store.YES));
                document.add(new LongPoint("size", Files.size(file)));
                document.add(new TextField("text", Files.newBufferedReader(file)));
                writer.updateDocument(new Term("path", file.toString()), document);
            }
            writer.forceMerge(1);
        }
    }

    private static void search(Directory directory, String word) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (Query query : queries(new Term("text", word))) {
                for (ScoreDoc hit : searcher.search(query, 10).scoreDocs) {
                    String path = searcher.storedFields().document(hit.doc).get("path");
                    System.out.println(query + " " + path + " " + searcher.explain(query, hit.doc));
                }
            }
        }
    }

    private static Query[] queries(Term term) {
        Query exact = new TermQuery(term);
        Query prefix = new PrefixQuery(term);
        Query both = new BooleanQuery.Builder().add(exact, Occur.SHOULD).add(prefix, Occur.MUST_NOT).build();
        Query size = LongPoint.newRangeQuery("size", 0, 1000);
        return new Query[] {exact, prefix, both, size, new FuzzyQuery(term), new PhraseQuery(term.field(), term.text())};
    }
}
