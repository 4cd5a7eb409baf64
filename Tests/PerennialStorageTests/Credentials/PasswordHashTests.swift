import Testing

@testable import PerennialStorage

struct PasswordHashTests {
    static let cheap = PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1)

    private func hash(_ password: String, salt: [UInt8] = [1, 2, 3, 4], cost: PasswordHash.Cost = cheap) throws
        -> PasswordHash
    {
        PasswordHash(cost: cost, salt: salt, hash: try PasswordHash.derive(password, salt: salt, cost: cost))
    }

    @Test func `only the correct password matches`() throws {
        let read = try #require(PasswordHash(text: try hash("correct horse").text))
        #expect(read.isEqual(to: try read.derive("correct horse")))
        #expect(!read.isEqual(to: try read.derive("correct horsf")))
        #expect(!read.isEqual(to: try read.derive("correct")))
        #expect(!read.isEqual(to: []))
    }

    @Test func `the hash is scrypt with its cost`() throws {
        // RFC 7914, section 12: the test vector ("password", "NaCl", 1024, 8, 16), its first 32 of 64 bytes.
        let cost = PasswordHash.Cost(rounds: 1024, blockSize: 8, parallelism: 16)
        let hash = try hash("password", salt: Array("NaCl".utf8), cost: cost)
        #expect(hash.text == "scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI=")
    }

    @Test(arguments: ["", String(repeating: "a", count: 1025)])
    func `a password that is empty or too long is refused`(password: String) {
        #expect(throws: PasswordError.self) { try PasswordHash.check(password) }
    }

    @Test(arguments: [
        "", "scrypt$16$1$1$$", "md5$16$1$1$AQ==$AQ==", "scrypt$x$1$1$AQ==$AQ==",
        // Bits beyond the last byte of the salt: a second spelling of AQ==.
        "scrypt$16$1$1$AR==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI=",
    ])
    func `a malformed hash isn't read`(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }
}
