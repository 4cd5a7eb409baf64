import Testing

@testable import PerennialStorage

/// The settings of connections: those for one server, and for several of which one is the primary.
struct PostgreSQLAddressTests {
    private static func value(of keyword: String, _ url: String) -> String? {
        PostgreSQLAddress(url: url).settings.first { $0.keyword == keyword }?.value
    }

    @Test(arguments: [
        ("postgres://one/store", 1), ("postgres://user:a,b@one:5432/store", 1), ("postgres:///store?host=/tmp", 1),
        ("postgres://one,two/store", 2), ("postgres://user@one:1,two:2,three/store?sslmode=require", 3),
        ("postgres:///store?host=one,two", 2), ("postgres://user@/store?application_name=a,b&host=%2Ftmp%2Cother", 2),
        ("postgres:///store?hostaddr=127.0.0.1,127.0.0.2,127.0.0.3", 3), ("host=one dbname=store", 1),
    ])
    func `the hosts of a URL are counted`(url: String, count: Int) {
        #expect(PostgreSQLAddress.hostCount(url) == count)
    }

    /// libpq gives each host the whole `connect_timeout`, so that a URL of two dead hosts would take twice as long.
    @Test(arguments: [("one", 5), ("one,two", 2), ("one,two,three", 2), ("one,two,three,four,five,six", 2)])
    func `several hosts share the time to connect`(hosts: String, seconds: Int) {
        #expect(Self.value(of: "connect_timeout", "postgres://\(hosts)/store") == "\(seconds)")
    }

    @Test func `of several hosts the primary is connected to`() {
        #expect(Self.value(of: "target_session_attrs", "postgres://one,two/store") == "primary")
        #expect(Self.value(of: "target_session_attrs", "postgres://one/store") == nil)
    }

    @Test func `settings of the URL override the first and not the last`() throws {
        let keywords = PostgreSQLAddress(url: "postgres://one,two/store").settings.map(\.keyword)
        let place = try #require(keywords.firstIndex(of: "dbname"))
        #expect(keywords[..<place].contains("target_session_attrs"))
        #expect(keywords[..<place].contains("connect_timeout"))
        #expect(Array(keywords[(place + 1)...]) == ["client_encoding"])
    }

    @Test(arguments: [
        ("7412/5/standby", true), ("7412/5/00000001", false), ("7412/standby/00000001", false), (nil, false),
    ])
    func `a server that follows another one is recognised`(identity: String?, isStandby: Bool) {
        #expect(PostgreSQLAddress.isStandby(identity) == isStandby)
    }
}
