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
		return typeof answer === 'number' ? answer & 255 : answer ? 0 : 1;
	} catch (error) {
		console.error(error);
		return 1;
	}
}

module.exports = async judge => {
	if (process.argv.length > 2)
		process.exit(await status(judge, process.argv.slice(2)));
	process.stdout.write = process.stderr.write.bind(process.stderr); // no part of the protocol
	const piece = Buffer.alloc(65536);
	for (let line = ''; ;) {
		const end = line.indexOf('\n');
		if (end < 0) {
			const n = fs.readSync(0, piece); // waits, and costs nothing else
			if (!n)
				process.exit(0);
			line += piece.toString('utf8', 0, n);
			continue;
		}
		fs.writeSync(1, await status(judge, line.slice(0, end).split('\t')) + '\n');
		line = line.slice(end + 1);
	}
};
