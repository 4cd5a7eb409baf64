import AppStoreFormats
import Foundation
import Subprocesses
import TestSupport

/// A call of the disk that fails.
struct DiskFault: Sendable, CustomStringConvertible {
    enum Call: String, Sendable {
        case write = "w"
        case sync = "s"
        case truncate = "t"
    }

    enum Kind: String, Sendable {
        case eio
        case eioForEver = "eio-for-ever"
        /// Half is written, then there is no room.
        case short
    }

    let call: Call
    /// The number of the failing call of this kind, from 1.
    let number: Int
    let kind: Kind

    var description: String { "\(call) \(number) fails (\(kind.rawValue))" }
}

/// A store in a folder of its own that sells on a disk which fails (Tests/DiskFaults).
struct DiskFaultRun: Sendable {
    struct Said: Sendable {
        let lines: [String]
        /// The transactions of the purchases that were acknowledged.
        var sold: Set<Int64> { Set(words.compactMap { $0[0] == "sold" ? Int64($0[1]) : nil }) }

        private var words: [[Substring]] { lines.map { $0.split(separator: " ") }.filter { $0.count > 1 } }

        /// True if the store stopped accepting writes.
        var hasStopped: Bool { words.contains { $0.count > 2 && $0[0] == "refused" && $0[2] == "writesStopped:" } }

        /// True if a customer was sold something after writes had stopped. Lines of customers may change places.
        var hasSoldAfterStop: Bool {
            var stopped: Set<Substring> = []
            for line in words where line.count > 2 {
                if line[0] == "refused", line[2] == "writesStopped:" { stopped.insert(line[1]) }
                if line[0] == "sold", stopped.contains(line[2]) { return true }
            }
            return false
        }
    }

    #if os(Linux)
        static let isPossible = true
    #else
        static let isPossible = false
    #endif

    private let folder: String
    private let shared: Shared

    private static let rounds = 8

    /// The data that all runs begin with, made once.
    private struct Shared: Sendable {
        /// The library that is preloaded.
        let library: String
        let keys: String
        /// A store that has sold, and was closed.
        let store: String
        /// A letter for each call that a run makes whose disk doesn't fail.
        let calls: String
    }

    private static let shared = Task {
        let folder = try TemporaryFolder.make()
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "DiskFaults/faults.c").path
        let compiler = try Subprocess(
            "/usr/bin/env", ["cc", "-shared", "-fPIC", "-O1", "-o", "\(folder)/faults.so", source, "-ldl"])
        guard compiler.wait() == 0 else { throw PerennialProcess.Failure(description: "cc doesn't compile \(source)") }
        _ = try SigningIdentities.loadOrMake(in: URL(filePath: "\(folder)/keys"))
        let first = DiskFaultRun(
            folder: "\(folder)/first",
            shared: Shared(library: "\(folder)/faults.so", keys: "\(folder)/keys", store: "", calls: ""))
        try FileManager.default.createDirectory(atPath: first.folder, withIntermediateDirectories: true)
        // Small pages, so that a few purchases fill some that no later purchase writes again.
        try RawSQLite.run("PRAGMA page_size = 512; VACUUM", on: first.path)
        _ = try await first.sell(nil, name: "before")
        let counted = try Self.copy(first)
        _ = try await counted.sell(nil, log: "\(folder)/calls")
        return Shared(
            library: first.shared.library, keys: first.shared.keys, store: first.path,
            calls: try String(contentsOfFile: "\(folder)/calls", encoding: .utf8))
    }

    private static func copy(_ run: DiskFaultRun) throws -> DiskFaultRun {
        let folder = try TemporaryFolder.make()
        try FileManager.default.copyItem(atPath: run.path, toPath: "\(folder)/store.db")
        return DiskFaultRun(folder: folder, shared: run.shared)
    }

    /// A copy of a store that has sold before.
    static func prepared() async throws -> DiskFaultRun {
        let shared = try await shared.value
        return try copy(
            DiskFaultRun(folder: URL(filePath: shared.store).deletingLastPathComponent().path, shared: shared))
    }

    /// The calls that a run makes whose disk doesn't fail, a letter each.
    static func calls() async throws -> String { try await shared.value.calls }

    private var path: String { "\(folder)/store.db" }

    /// The variables that inject the disk's failure.
    ///
    /// - Parameters:
    ///   - path: Of the database.
    ///   - file: While it exists, no sync returns.
    static func environment(
        of fault: DiskFault?, path: String, hangingWith file: String? = nil
    ) async throws -> [String: String] {
        var environment = environment(of: fault, path: path, library: try await shared.value.library)
        environment["FAULTS_HANG"] = file
        return environment
    }

    private static func environment(of fault: DiskFault?, path: String, library: String) -> [String: String] {
        var environment = ["LD_PRELOAD": library, "FAULTS_PATH": path]
        if let fault {
            environment["FAULTS_CALL"] = fault.call.rawValue
            environment["FAULTS_AT"] = String(fault.number)
            environment["FAULTS_KIND"] = fault.kind.rawValue
        }
        return environment
    }

    /// Sells in a process of its own.
    func sell(_ fault: DiskFault?, name: String = "run", log: String? = nil) async throws -> Said {
        var environment = Self.environment(of: fault, path: path, library: shared.library)
        environment["FAULTS_LOG"] = log
        let ended = try await PerennialProcess(
            [path, shared.keys, name, String(Self.rounds)], program: "DiskFaultSeller", environment: environment
        ).ended()
        guard ended.status >= 0 else {
            throw PerennialProcess.Failure(description: "the seller died of signal \(-ended.status): \(ended.errors)")
        }
        return Said(lines: ended.output.split(separator: "\n").map(String.init))
    }

    /// Copies the database as a power cut would leave it, and returns its path.
    func afterPowerLoss() throws -> String {
        let found = "\(try TemporaryFolder.make())/store.db"
        for suffix in ["", "-wal", "-journal"] {
            let durable = "\(path)\(suffix).durable"
            // A file that was never written to is as it was.
            let source = FileManager.default.fileExists(atPath: durable) ? durable : path + suffix
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try FileManager.default.copyItem(atPath: source, toPath: found + suffix)
        }
        return found
    }
}
