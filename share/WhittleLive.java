// A test for whittle --persistent on a JVM (whittle-live(7)): put this beside your test, and
//
//     public class Test {
//         public static void main(String[] args) throws Exception {
//             WhittleLive.main(args, paths -> java.nio.file.Files.readString(paths[0]).contains("bug"));
//         }
//     }
//
// An exception is not interesting. With paths as arguments it judges once and exits with the status.
import java.io.*;
import java.nio.file.*;
import java.util.stream.Stream;

public class WhittleLive {
	public interface Judge {
		boolean isInteresting(Path[] paths) throws Exception;
	}

	private static int status(Judge judge, String[] names) {
		try {
			return judge.isInteresting(Stream.of(names).map(Path::of).toArray(Path[]::new)) ? 0 : 1;
		} catch (Throwable e) {
			e.printStackTrace();
			return 1;
		}
	}

	public static void main(String[] args, Judge judge) throws IOException {
		if (args.length > 0)
			System.exit(status(judge, args));
		BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
		PrintStream answers = System.out;
		System.setIn(InputStream.nullInputStream()); // what the judge reads and prints
		System.setOut(System.err); // is no part of the protocol
		for (String line; (line = questions.readLine()) != null; answers.flush())
			answers.print(status(judge, line.split("\t")) + "\n");
	}
}
