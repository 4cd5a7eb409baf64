import PerennialStorage
import Testing

struct PasswordHashTests {
    static let cheap = PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1)

    @Test func `the right password matches, any other doesn't`() async throws {
        let hash = try await PasswordHash.make("correct horse", salt: [1, 2, 3, 4], cost: Self.cheap)
        let read = try #require(PasswordHash(text: hash.text))
        #expect(try await read.matches("correct horse"))
        #expect(try await !read.matches("correct horsf"))
        #expect(try await !read.matches("correct"))
    }

    @Test func `the hash is scrypt's, with the cost beside it`() async throws {
        // RFC 7914, section 12: the test vector ("password", "NaCl", 1024, 8, 16), its first 32 of 64 bytes.
        let cost = PasswordHash.Cost(rounds: 1024, blockSize: 8, parallelism: 16)
        let hash = try await PasswordHash.make("password", salt: Array("NaCl".utf8), cost: cost)
        #expect(hash.text == "scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI=")
    }

    @Test(arguments: ["", String(repeating: "a", count: 1025)])
    func `a password has a length`(password: String) async {
        await #expect(throws: PasswordError.self) {
            try await PasswordHash.make(password, salt: [1], cost: Self.cheap)
        }
    }

    @Test(arguments: ["", "scrypt$16$1$1$$", "md5$16$1$1$AQ==$AQ==", "scrypt$x$1$1$AQ==$AQ=="])
    func `what is no hash is not read as one`(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }
}
