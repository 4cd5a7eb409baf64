import Foundation
import GRDB
import PerennialStorage
import TestSupport
import Testing

struct ClosingTests {
    /// SQLite leaves WAL mode only where nobody else has the file open.
    @Test func `a closed database has let go of its file`() async throws {
        for _ in 0..<20 {
            let path = "\(try TemporaryFolder.make())/store.db"
            let database = try PerennialStorage.Database(.sqlite(path: path), options: .forTests)
            try await database.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
            _ = try await database.read { try $0.query("SELECT i FROM t", []) { try $0.integer(0) } }
            database.close()
            let mode = try DatabaseQueue(path: path).inDatabase {
                try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE")
            }
            #expect(mode == "delete")
        }
    }

    @Test func `a closed database is one file that has everything`() async throws {
        let path = "\(try TemporaryFolder.make())/store.db"
        let database = try PerennialStorage.Database(.sqlite(path: path), options: .forTests)
        try await database.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
        try await database.write { try $0.execute("INSERT INTO t VALUES (7)") }
        let read = try await database.read { try $0.query("SELECT i FROM t", []) { try $0.integer(0) } }
        database.close()
        #expect(read == [7])
        let files = FileManager.default
        #expect(!files.fileExists(atPath: "\(path)-wal"))
        let copy = "\(try TemporaryFolder.make())/copy.db"
        try files.copyItem(atPath: path, toPath: copy)
        let copied = try await DatabaseQueue(path: copy).read { try Int.fetchAll($0, sql: "SELECT i FROM t") }
        #expect(copied == [7])
    }
}
