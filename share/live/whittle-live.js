// A test for whittle --persistent in Node.js (whittle-live(7)).
//
//     require('.../whittle-live.js')(path => require('fs').readFileSync(path, 'utf8').includes('bug'))
//
// true or 0 is interesting, false or another number is not; an exception is not. The function may be
// async. With paths as arguments it judges once and exits with the status, as a plain test does.
'use strict';
const fs = require('fs');

async function status(judge, paths) {
	try {
		const answer = await judge(...paths);
		const code = /number|bigint/.test(typeof answer) ? Number(answer) : answer ? 0 : 1;
		return (code & 255) === code ? code : 1; // 256 is no 0, nor are 0.5 and NaN
	} catch (error) {
		console.error(error);
		return 1;
	}
}

// Opens FD again, for the protocol; what the judge and its children find at FD is empty.
function keep(fd, flags) {
	const kept = fs.openSync('/proc/self/fd/' + fd, flags);
	fs.closeSync(fd);
	fs.openSync('/dev/null', flags); // takes the lowest free number
	return kept;
}

module.exports = async judge => {
	if (process.argv.length > 2)
		process.exit(await status(judge, process.argv.slice(2)));
	const questions = keep(0, 'r'), answers = keep(1, 'a'), piece = Buffer.alloc(65536);
	process.stdout.write = process.stderr.write.bind(process.stderr);
	for (let rest = Buffer.alloc(0), end; ; rest = rest.subarray(end + 1)) {
		for (let n; (end = rest.indexOf('\n')) < 0; rest = Buffer.concat([rest, piece.subarray(0, n)]))
			if (!(n = fs.readSync(questions, piece))) // waits, and costs nothing else
				process.exit(0);
		fs.writeSync(answers, await status(judge, rest.toString('utf8', 0, end).split('\t')) + '\n');
	}
};
