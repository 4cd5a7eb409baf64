import Foundation
import PerennialStorage
import TestSupport
import Testing

struct ClosingTests {
    /// SQLite leaves WAL mode only if no other connection has the file open.
    @Test func `a closed database has no open files`() async throws {
        for _ in 0..<20 {
            let path = "\(try TemporaryFolder.make())/store.db"
            let database = try Database(.sqlite(path: path), options: .forTests)
            try await database.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
            _ = try await database.read { try $0.query("SELECT i FROM t", []) { try $0.integer(0) } }
            database.close()
            #expect(try RawSQLite.run("PRAGMA journal_mode = DELETE", on: path) == ["delete"])
        }
    }

    @Test func `a closed database is one file with all data`() async throws {
        let path = "\(try TemporaryFolder.make())/store.db"
        let database = try Database(.sqlite(path: path), options: .forTests)
        try await database.write { try $0.execute("CREATE TABLE t (i BIGINT)") }
        try await database.write { try $0.execute("INSERT INTO t VALUES (7)") }
        let read = try await database.read { try $0.query("SELECT i FROM t", []) { try $0.integer(0) } }
        database.close()
        #expect(read == [7])
        let files = FileManager.default
        #expect(!files.fileExists(atPath: "\(path)-wal"))
        let copy = "\(try TemporaryFolder.make())/copy.db"
        try files.copyItem(atPath: path, toPath: copy)
        #expect(try RawSQLite.run("SELECT i FROM t", on: copy) == ["7"])
    }
}
