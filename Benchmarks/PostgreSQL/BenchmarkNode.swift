import AppStoreFormats
import ArgumentParser
import Dispatch
import Foundation
import PerennialHTTP
import PerennialStorage
import Subprocesses

/// A node of a store in a process of its own: what measures of several nodes start.
struct BenchmarkNode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "Serve a benchmark's store until standard input ends.", shouldDisplay: false)

    @Option(help: "The database's URL.")
    var database: String

    func run() async throws {
        let identities = try SigningIdentities.make()
        let shop = try await BenchmarkStore(try DatabaseLocation(url: database), identities: identities)
        defer { shop.database.close() }
        let router = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds }
        ).make()
        try await BenchmarkServer.run(router) { server in
            FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
            await Self.untilInputEnds()
        }
    }

    private static func untilInputEnds() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while !FileHandle.standardInput.availableData.isEmpty {}
                continuation.resume()
            }
        }
    }
}

/// A running ``BenchmarkNode``.
final class NodeProcess: Sendable {
    let port: Int
    private let process: Subprocess
    /// The node's standard input, which ends with this process.
    private let lifeline: FileHandle

    /// Starts a node and waits until it serves. It starts with whole processors, and has its share from then on.
    init(on location: DatabaseLocation, share: ProcessorShare? = nil) throws {
        let (input, lifeline) = try StandardStreams.pipe()
        let (output, writing) = try StandardStreams.pipe()
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        process = try Subprocess(
            program, ["node", "--database", BenchmarkPostgreSQL.url(location)],
            streams: StandardStreams(input: .file(input), output: .file(writing), errors: .file(try Self.errors())))
        self.lifeline = lifeline
        var said = ""
        while !said.hasSuffix("\n") {
            let bytes = output.availableData
            guard !bytes.isEmpty else { throw BenchmarkError("a node ended before it served") }
            said += String(decoding: bytes, as: UTF8.self)
        }
        guard let port = Int(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkError("a node said \(said)")
        }
        self.port = port
        try share?.limit(process.identifier)
    }

    /// Returns another handle of this process's standard error: the one that the child gets is closed here.
    private static func errors() throws -> FileHandle {
        let descriptor = dup(STDERR_FILENO)
        guard descriptor >= 0 else { throw BenchmarkError("standard error is closed") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func stop() {
        try? lifeline.close()
        process.wait()
    }

    /// Runs a body against nodes on one database, which end with it.
    ///
    /// - Parameter percent: Hundredths of a processor that each node has.
    /// - Returns: The body's value, or `nil` where processes can't be given shares.
    static func run<Value>(
        _ count: Int, on location: DatabaseLocation, percent: Int, _ body: ([NodeProcess]) async throws -> Value
    ) async throws -> Value? {
        var shares: [ProcessorShare] = []
        defer { for share in shares { share.remove() } }
        for number in 0..<count {
            let name = "perennial-bench-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
            guard let share = ProcessorShare(percent: percent, name: name) else { return nil }
            shares.append(share)
        }
        return try await run(shares.map(Optional.some), on: location, body)
    }

    /// Runs a body against nodes on one database, which end with it.
    static func run<Value>(
        _ count: Int, on location: DatabaseLocation, _ body: ([NodeProcess]) async throws -> Value
    ) async throws -> Value {
        try await run([ProcessorShare?](repeating: nil, count: count), on: location, body)
    }

    private static func run<Value>(
        _ shares: [ProcessorShare?], on location: DatabaseLocation, _ body: ([NodeProcess]) async throws -> Value
    ) async throws -> Value {
        var nodes: [NodeProcess] = []
        defer { for node in nodes { node.stop() } }
        for share in shares { nodes.append(try NodeProcess(on: location, share: share)) }
        return try await body(nodes)
    }
}
