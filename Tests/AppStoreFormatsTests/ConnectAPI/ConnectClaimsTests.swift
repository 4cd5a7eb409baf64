import AppStoreFormats
import Testing

struct ConnectClaimsTests {
    private static func claims(_ members: String) -> ConnectClaims? {
        ConnectClaims(payload: Array("{\(members)}".utf8))
    }

    private static let common = #""iss": "i", "aud": "appstoreconnect-v1", "exp": 2200"#

    @Test func `a token lives 20 minutes from its issue, or from now without one`() throws {
        let issued = try #require(Self.claims(Self.common + #", "iat": 1000"#))
        #expect(issued.areValid(at: 1000) && issued.areValid(at: 2199))
        #expect(!issued.areValid(at: 2200))
        #expect(issued.areValid(at: 940) && !issued.areValid(at: 939))
        let early = try #require(Self.claims(Self.common + #", "iat": 999"#))
        #expect(!early.areValid(at: 1500))
        let open = try #require(Self.claims(Self.common))
        #expect(open.areValid(at: 940) && !open.areValid(at: 939))
    }

    @Test(arguments: [
        #""iss": "i", "aud": "appstoreconnect-v1""#, #""iss": "i", "aud": "other", "exp": 1"#,
        #""aud": "appstoreconnect-v1", "exp": 1"#, #""iss": 5, "sub": "user", "aud": "appstoreconnect-v1", "exp": 1"#,
        #""iss": "i", "iss": "i", "aud": "appstoreconnect-v1", "exp": 1"#,
        #""iss": "i", "aud": "appstoreconnect-v1", "exp": 1e300"#,
        #""iss": "i", "aud": "appstoreconnect-v1", "exp": 1, "iat": "now""#,
        #""iss": "i", "aud": "appstoreconnect-v1", "exp": 1, "scope": "GET /v1/apps""#,
        #""iss": "i", "aud": "appstoreconnect-v1", "exp": 1, "scope": []"#,
    ])
    func `claims of a wrong form are refused`(members: String) {
        #expect(Self.claims(members) == nil)
    }

    @Test func `a token of a user's own key is recognized`() throws {
        let claims = try #require(Self.claims(#""sub": "user", "aud": "appstoreconnect-v1", "exp": 1"#))
        #expect(claims.isIndividual)
        #expect(try #require(Self.claims(Self.common + #", "sub": "user""#)).isIndividual == false)
    }

    @Test func `a scope compares path and query, but neither order nor pages`() throws {
        let scope = #"["GET /v1/apps?filter[platform]=IOS&filter%5Bname%5D=a%20b", "DELETE /v1/apps", "GET /v1/users"]"#
        let claims = try #require(Self.claims(Self.common + #", "scope": \#(scope)"#))
        func allows(_ method: String, _ path: String, _ query: String = "") -> Bool {
            claims.allow(method: method, path: path, query: QueryText.parameters(query) ?? [])
        }
        #expect(allows("GET", "/v1/users"))
        #expect(allows("GET", "/v1/users", "limit=3&cursor=x&sort=-name"))
        #expect(allows("GET", "/v1/apps", "filter[name]=a+b&limit=2&filter%5Bplatform%5D=IOS"))
        #expect(!allows("GET", "/v1/apps"))
        #expect(!allows("GET", "/v1/apps", "filter[platform]=IOS"))
        #expect(!allows("DELETE", "/v1/apps"))
        #expect(!allows("GET", "/v1/users/1"))
        #expect(try #require(Self.claims(Self.common)).allow(method: "POST", path: "/v1/apps", query: []))
    }

    @Test func `a query is read as forms write it`() {
        let read = QueryText.parameters("a%5Bb%5D=c+d%2B&e&f=g=h&&i=")
        #expect(read?.map(\.name) == ["a[b]", "e", "f", "i"])
        #expect(read?.map(\.value) == ["c d+", "", "g=h", ""])
        #expect(QueryText.parameters("a=%zz") == nil)
    }
}
