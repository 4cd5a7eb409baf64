import Foundation
import Subprocesses
import Testing

@Suite(.serialized)
struct SubprocessTests {
    @Test func `a program's output and exit code are returned`() throws {
        let ended = try Subprocess.output(of: "/bin/sh", ["-c", "echo out; echo errors >&2; exit 7"])
        #expect(ended.status == 7)
        #expect(ended.text == "out\nerrors\n")
    }

    @Test func `a program that a signal ends has the signal's negative number`() throws {
        let (reading, writing) = try StandardStreams.pipe()
        defer { try? writing.close() }
        let program = try Subprocess("/bin/cat", streams: StandardStreams(input: .file(reading)))
        program.signal(9)
        #expect(program.wait() == -9)
        #expect(!program.isRunning)
        #expect(!program.signal(9), "its number may be another's by now")
    }

    @Test func `a missing program is an error with its path`() {
        let error = #expect(throws: Subprocess.Failure.self) { try Subprocess("/nonexistent/program") }
        #expect(error?.description.contains("/nonexistent/program") == true)
    }

    @Test func `a program gets its folder and environment variables`() throws {
        let (reading, writing) = try StandardStreams.pipe()
        let program = try Subprocess(
            "/bin/sh", ["-c", "pwd; echo $LANGUAGE"], environment: ["LANGUAGE": "de"], in: "/",
            streams: StandardStreams(output: .file(writing)))
        let said = try reading.readToEnd().map { String(decoding: $0, as: UTF8.self) }
        #expect(said == "/\nde\n")
        #expect(program.wait() == 0)
    }

    /// Opens more files than one read of a folder's entries returns.
    @Test func `a child inherits none of thousands of open files`() throws {
        var limit = rlimit()
        #if canImport(Darwin)
            let files = RLIMIT_NOFILE
        #else
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        try #require(getrlimit(files, &limit) == 0)
        // Without O_CLOEXEC.
        let opened = (0..<min(3_000, Int(limit.rlim_cur) / 2)).map { _ in open("/dev/null", O_RDONLY) }
        defer { for file in opened { close(file) } }
        try #require(opened.count > 100)
        let listed = try Subprocess.output(of: "/bin/sh", ["-c", "for n in /dev/fd/*; do echo $n; done"])
        #expect(listed.status == 0)
        // The three streams, and what the shell reads the folder with.
        #expect(listed.text.split(separator: "\n").count <= 4, "\(listed.text)")
    }
}
