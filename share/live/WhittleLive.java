// A test for whittle --persistent on a JVM (whittle-live(7)): put this beside your test, and
//
//     public static void main(String[] args) throws Exception {
//         WhittleLive.main(args, paths -> java.nio.file.Files.readString(paths[0]).contains("bug"));
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
		InputStream in = new FileInputStream("/proc/self/fd/0");
		OutputStream answers = new FileOutputStream("/proc/self/fd/1", true);
		new FileInputStream(FileDescriptor.in).close(); // a JVM opens /dev/null in their place:
		new FileOutputStream(FileDescriptor.out).close(); // children have no part in the protocol
		System.setIn(InputStream.nullInputStream());
		System.setOut(System.err);
		var questions = new java.util.Scanner(in, System.getProperty("sun.jnu.encoding")).useDelimiter("\n");
		while (questions.hasNext())
			answers.write((status(judge, questions.next().split("\t")) + "\n").getBytes());
	}
}
