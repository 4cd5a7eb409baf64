import CPosixSpawn
import Foundation

/// The standard input, output and error of a child process: by default empty and discarded.
package struct StandardStreams: Sendable {
    /// The source or destination of a stream.
    package enum Stream: Sendable {
        /// `/dev/null`.
        case nothing
        /// An open file, which passes to the child: this process's handle is closed once the child runs.
        case file(FileHandle)
    }

    private let input: Stream
    private let output: Stream
    private let errors: Stream

    package init(input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing) {
        (self.input, self.output, self.errors) = (input, output, errors)
    }

    /// The three streams in the order of their numbers.
    var all: [Stream] { [input, output, errors] }

    /// Closes this process's handles. While they are open, the other end of a pipe doesn't see the end of the stream.
    func closeHere() {
        for case .file(let handle) in all { try? handle.close() }
    }

    /// Makes a pipe that no other child inherits.
    ///
    /// - Throws: ``Subprocess/Failure``.
    package static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [-1, -1]
        let code = cposixspawn_pipe(&ends)
        guard code == 0 else { throw Subprocess.Failure(description: "pipe: \(String(cString: strerror(code)))") }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }
}

extension Subprocess {
    /// Runs a program to its end and returns its exit status and everything that it wrote to standard output and error.
    ///
    /// - Throws: ``Failure``.
    package static func output(
        of program: String, _ arguments: [String], in folder: String? = nil
    ) throws -> (status: Int32, text: String) {
        let (reading, writing) = try StandardStreams.pipe()
        let child = try Subprocess(
            program, arguments, in: folder, streams: StandardStreams(output: .file(writing), errors: .file(writing)))
        let bytes = try reading.readToEnd() ?? Data()
        return (child.wait(), String(decoding: bytes, as: UTF8.self))
    }
}
