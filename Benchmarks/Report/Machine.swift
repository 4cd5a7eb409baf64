import Foundation
import CSQLite

/// The machine that the numbers of a run depend on.
struct Machine: Encodable {
    let cores: Int
    let sqlite: String
    /// The median time in which the disk makes a page durable, in microseconds.
    let syncMicroseconds: Double

    private static let syncs = 200
    private static let pageSize = 4096

    init(folder: WorkFolder) throws {
        cores = ProcessInfo.processInfo.activeProcessorCount
        sqlite = String(cString: sqlite3_libversion())
        syncMicroseconds = try Self.measureSync(in: folder)
    }

    var line: String {
        let sync = String(format: "%.0f", syncMicroseconds)
        return "\(cores) cores, SQLite \(sqlite), the disk makes a page durable in \(sync) µs"
    }

    private static func measureSync(in folder: WorkFolder) throws -> Double {
        let path = folder.path("sync")
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError("the folder \(folder.root) can't be written to") }
        defer { try? file.close() }
        let page = Data(repeating: 7, count: pageSize)
        let times = try (0..<syncs).map { _ in
            // In place, as SQLite writes a log that it uses again: a file that grows is another matter.
            try file.seek(toOffset: 0)
            try file.write(contentsOf: page)
            return try Stopwatch.seconds { try file.synchronize() }
        }
        return times.median * 1e6
    }
}
