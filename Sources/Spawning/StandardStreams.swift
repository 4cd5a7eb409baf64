import CSpawning
import Foundation

/// Where a spawned program reads from and writes to. Without more, nothing comes in and what it says is lost.
package struct StandardStreams: Sendable {
    /// One of a program's three streams.
    package enum Stream: Sendable {
        /// Empty for reading, forgetful for writing.
        case nothing
        /// An open file, the child's from now on: this program's handle of it is closed once the child runs.
        case file(FileHandle)
    }

    private let input: Stream
    private let output: Stream
    private let errors: Stream

    package init(input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing) {
        (self.input, self.output, self.errors) = (input, output, errors)
    }

    /// Standard input, output and errors, in the order of their numbers.
    var all: [Stream] { [input, output, errors] }

    /// What the child holds now need not be held here: the other end of a pipe would never see the end.
    func closeHere() {
        for case .file(let handle) in all { try? handle.close() }
    }

    /// Two ends of a pipe that no other child inherits.
    ///
    /// - Throws: ``SpawnedProgram/Failure``.
    package static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [-1, -1]
        let code = spawning_pipe(&ends)
        guard code == 0 else { throw SpawnedProgram.Failure(description: "pipe: \(String(cString: strerror(code)))") }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }
}

extension SpawnedProgram {
    /// Runs a program to its end and reads all that it says, on standard output and standard error.
    ///
    /// - Throws: ``Failure``.
    package static func output(
        of program: String, _ arguments: [String], in folder: String? = nil
    ) throws -> (status: Int32, text: String) {
        let (reading, writing) = try StandardStreams.pipe()
        let child = try SpawnedProgram(
            program, arguments, in: folder, streams: StandardStreams(output: .file(writing), errors: .file(writing)))
        let bytes = try reading.readToEnd() ?? Data()
        return (child.wait(), String(decoding: bytes, as: UTF8.self))
    }
}
