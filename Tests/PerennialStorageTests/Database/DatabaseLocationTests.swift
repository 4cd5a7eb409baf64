import PerennialStorage
import Testing

struct DatabaseLocationTests {
    @Test(arguments: [
        ("sqlite:store.db", DatabaseLocation.sqlite(path: "store.db")),
        ("sqlite:/var/lib/store.db", .sqlite(path: "/var/lib/store.db")),
        ("sqlite:///var/lib/store.db", .sqlite(path: "/var/lib/store.db")),
        ("sqlite::memory:", .inMemory),
        ("postgres://ann@db/store", .postgres(url: "postgres://ann@db/store")),
        ("postgresql:///store?host=/run", .postgres(url: "postgresql:///store?host=/run")),
    ])
    func `a location is read from its URL`(url: String, location: DatabaseLocation) throws {
        #expect(try DatabaseLocation(url: url) == location)
    }

    @Test(arguments: ["", "sqlite", "sqlite:", "store.db", "mysql://db/store", "postgres:store", "sqlite:a\u{0}b"])
    func `a malformed location is refused`(url: String) {
        #expect(throws: StorageError(.malformedLocation, "", "")) { try DatabaseLocation(url: url) }
    }

    @Test func `a password is in no description`() throws {
        let location = try DatabaseLocation(url: "postgres://ann:s3c@ret@db.example.com:5433/store?password=s3cret")
        #expect("\(location)" == "postgres://db.example.com:5433/store")
        let error = #expect(throws: StorageError.self) { try DatabaseLocation(url: "postgre://ann:s3cret@db/store") }
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test(arguments: [
        DatabaseLocation.sqlite(path: "/no/such/folder/store.db"),
        .postgres(url: "postgres://%2Fno%2Fsuch%2Ffolder/store"),
    ])
    func `a database that can't be opened is an error at once`(location: DatabaseLocation) {
        #expect(throws: StorageError(.cannotOpen, "", "")) { try Database(location) }
    }
}
