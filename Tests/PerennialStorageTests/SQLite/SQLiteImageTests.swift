import Testing

@testable import PerennialStorage

@Suite("Images of databases in memory")
struct SQLiteImageTests {
    private func count(_ database: Database) throws -> Int64? {
        try database.readSync { try $0.first("SELECT COUNT(*) FROM things") { try $0.integer(0) } }
    }

    @Test("A copy has the content, and goes its own way")
    func copy() throws {
        let database = try Database(.inMemory)
        try database.writeSync { connection in
            try connection.execute("CREATE TABLE things (name TEXT NOT NULL)")
            try connection.execute("INSERT INTO things (name) VALUES ('one')")
        }
        let image = try SQLiteImage(of: database)
        let copies = [try Database(inMemory: image), try Database(inMemory: image)]
        try copies[0].writeSync { try $0.execute("INSERT INTO things (name) VALUES ('two')") }
        try database.writeSync { try $0.execute("DELETE FROM things") }
        #expect(try [database, copies[0], copies[1]].map(count) == [0, 2, 1])
    }

    @Test("A copy of a migrated database needs no migration")
    func migrated() throws {
        let database = try Database(.inMemory)
        try database.migrate()
        let schema = { (database: Database) in
            try database.readSync {
                try $0.query("SELECT sql FROM sqlite_master ORDER BY name") { try $0.optionalText(0) }
            }
        }
        let copy = try Database(inMemory: try SQLiteImage(of: database))
        try copy.migrate()
        #expect(try schema(copy) == schema(database))
        #expect(try copy.synchronousLevel() == database.synchronousLevel())
    }

    @Test("A copy has pages of the same size", arguments: [nil, 1024, 65_536])
    func pages(bytes: Int?) throws {
        var options = DatabaseOptions()
        options.memoryPageBytes = bytes
        let database = try Database(.inMemory, options: options)
        try database.migrate()
        let copy = try Database(inMemory: try SQLiteImage(of: database))
        try copy.migrate()
        let sizes = try [database, copy].map { database in
            try database.readSync { try $0.first("PRAGMA page_size") { try $0.integer(0) } }
        }
        #expect(sizes == [Int64(bytes ?? 4096), Int64(bytes ?? 4096)])
    }

    @Test("An empty database has an image")
    func empty() throws {
        let copy = try Database(inMemory: try SQLiteImage(of: try Database(.inMemory)))
        try copy.migrate()
        #expect(try copy.readSync { try $0.first("SELECT COUNT(*) FROM apps") { try $0.integer(0) } } == 0)
    }
}
