import ArgumentParser
import Foundation
import PerennialSimulation
import PerennialStorage
import Synchronization

/// The options of an exercise that starts its own nodes.
struct ExercisedNodeOptions: ParsableArguments {
    /// A limit of ours on the nodes of one machine.
    private static let nodesAllowed = 1...8

    @Option(
        help: ArgumentHelp(
            "Start the nodes, and kill them so often, at times that the seed draws.", valueName: "number"))
    var kills: Int?

    @Option(help: ArgumentHelp("The nodes to start; more than one on PostgreSQL only.", valueName: "number"))
    var nodes = 1

    @Option(
        help: ArgumentHelp(
            "Where the started nodes keep their data: a file, or a PostgreSQL server that is started as well.",
            valueName: "sqlite|postgres"))
    var database = DatabaseEngine.sqlite

    @Option(
        help: ArgumentHelp("The catalog of the started nodes; may be repeated.", valueName: "file"),
        completion: .file())
    var catalog: [String] = []

    func validate() throws {
        guard let kills else {
            guard nodes == 1, database == .sqlite, catalog.isEmpty else {
                throw ValidationError("--nodes, --database and --catalog are for nodes that --kills starts.")
            }
            return
        }
        try ValidationError.expect(kills, in: ExerciseKills.allowed, "--kills")
        try ValidationError.expect(nodes, in: Self.nodesAllowed, "--nodes")
        guard nodes == 1 || database == .postgres else {
            throw ValidationError("--nodes above 1 needs --database postgres: SQLite has one process.")
        }
        guard !catalog.isEmpty else { throw ValidationError("--kills needs a --catalog.") }
    }

    /// Starts the nodes, with a store that ends with the exercise.
    ///
    /// - Returns: `nil` without `--kills`.
    func start(_ cleanup: Cleanup) async throws -> ExercisedProcesses? {
        guard kills != nil else { return nil }
        let folder = try RuntimeFolder().makeTemporaryFolder(named: "exercise", cleanup)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "data"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        var options = catalog.flatMap { ["--catalog", $0] }
        if database == .postgres {
            let server = try EphemeralPostgreSQL(settings: ["fsync=off"], prefersMemory: true)
            cleanup.add { server.stop() }
            options += ["--database", try server.makeDatabase("exercise")]
        }
        return try await ExercisedProcesses(nodes, options, in: folder, cleanup)
    }
}

/// Nodes of a store, each a process of this program, that an exercise kills and starts again.
final class ExercisedProcesses: ExercisedNodes {
    private struct Node {
        var process: ChildProcess
        var url = ""
        /// 0 before the first start: the system chooses one, which the node keeps.
        var port = 0
    }

    private struct Ready: Decodable {
        var url: String
        var controlToken: String
    }

    /// Lines of a log that an error quotes.
    private static let quotedLines = 3

    private let options: [String]
    private let folder: URL
    private let cleanup: Cleanup
    private let nodes = Mutex<[Node]>([])
    private let token = Mutex("")

    /// Starts all nodes. The first makes the keys, which all share.
    ///
    /// - Parameters:
    ///   - options: Further options of `perennial serve`.
    ///   - folder: Has the folder `data`.
    /// - Throws: ``CommandError`` if one isn't ready in time.
    init(_ count: Int, _ options: [String], in folder: URL, _ cleanup: Cleanup) async throws {
        (self.options, self.folder, self.cleanup) = (options, folder, cleanup)
        for number in 0..<count {
            let process = try run(number, port: 0)
            nodes.withLock { $0.append(Node(process: process)) }
            try await awaitReady(number)
        }
    }

    var urls: [String] { nodes.withLock { $0.map(\.url) } }

    var endpoints: [StoreEndpoint] {
        let token = token.withLock { $0 }
        return urls.map { StoreEndpoint(url: $0, token: token) }
    }

    func kill(_ node: Int) async throws { try await process(node).kill() }

    func start(_ node: Int) async throws {
        let process = try run(node, port: nodes.withLock { $0[node].port })
        nodes.withLock { $0[node].process = process }
    }

    func awaitReady(_ node: Int) async throws {
        do {
            let ready = try await process(node).ready(readyFile(node), as: Ready.self)
            token.withLock { $0 = ready.controlToken }
            nodes.withLock { nodes in
                nodes[node].url = ready.url
                nodes[node].port = URL(string: ready.url)?.port ?? 0
            }
        } catch let error as CommandError {
            let log = (try? String(contentsOf: log(node), encoding: .utf8)) ?? ""
            let end = log.split(separator: "\n").suffix(Self.quotedLines).joined(separator: "\n")
            throw CommandError("\(error): \(end)")
        }
    }

    private func process(_ node: Int) -> ChildProcess { nodes.withLock { $0[node].process } }

    private func readyFile(_ node: Int) -> URL { folder.appending(path: "ready-\(node).json") }

    private func log(_ node: Int) -> URL { folder.appending(path: "node-\(node).log") }

    private func run(_ node: Int, port: Int) throws -> ChildProcess {
        // One that a killed node left would announce the next one too early.
        try? FileManager.default.removeItem(at: readyFile(node))
        return try ChildProcess(
            [
                "serve", "--port", "\(port)", "--no-console", "--data", folder.appending(path: "data").path,
                "--ready-file", readyFile(node).path,
            ] + options, log: log(node), cleanup)
    }
}
