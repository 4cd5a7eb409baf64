import Dispatch
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// Keys in the system's storage of secrets.
struct VaultSecretsTests {
    private let files = MemoryFiles()
    private let keyring = Keyring()

    private func vault(_ keyring: Keyring? = nil) -> PurchaseVault {
        var protection = PurchaseVault.Protection(secrets: keyring ?? self.keyring, machine: "")
        protection.longestBlock = .seconds(60)
        return VaultSamples.vault(files, protection: protection)
    }

    @Test func `the key is in the storage and not in a file`() throws {
        try vault().put(VaultSamples.payload(1))
        let key = try #require(try keyring.secret(of: VaultSamples.owner)?.key)
        #expect(key.count == 32)
        #expect(try files.read("device.key")?.range(of: key) == nil)
        #expect(vault().contents.transactions.map(\.id) == [1])
        // An attacker with the files only.
        #expect(!VaultSamples.vault(files).load())
    }

    @Test func `older copies of all files are detected by the number beside the key`() throws {
        let first = vault()
        try first.put(VaultSamples.payload(1))
        try first.credit(100, to: "coins", for: 1)
        first.drainAnchors()
        let (old, oldNumber) = (try files.read("vault"), try files.read("vault.number"))
        try first.spend(100, from: "coins")
        first.drainAnchors()
        try files.write(try #require(old), to: "vault")
        try files.write(try #require(oldNumber), to: "vault.number")
        #expect(vault().condition == .refused)
    }

    @Test func `a number that the last process didn't store is stored by the next one`() throws {
        let first = vault()
        try first.put(VaultSamples.payload(1))
        try first.put(VaultSamples.payload(2))
        first.drainAnchors()
        let secret = try #require(try keyring.secret(of: VaultSamples.owner))
        try keyring.store(StoredSecret(key: secret.key, number: 0), of: VaultSamples.owner)
        let second = vault()
        #expect(second.load())
        second.drainAnchors()
        #expect(try keyring.secret(of: VaultSamples.owner) == secret)
    }

    @Test func `a locked storage isn't a new device`() throws {
        try vault().put(VaultSamples.payload(1))
        keyring.isLocked.withLock { $0 = true }
        let second = vault()
        #expect(!second.load())
        #expect(second.condition == .unreadable)
        #expect(second.contents.transactions.isEmpty)
        keyring.isLocked.withLock { $0 = false }
        #expect(second.condition == .intact)
        #expect(second.contents.transactions.map(\.id) == [1])
    }

    @Test func `a storage that asks the customer blocks no caller, and is waited for`()
        async throws
    {
        try vault().put(VaultSamples.payload(1))
        let asking = AskingKeyring(keyring)
        var protection = PurchaseVault.Protection(secrets: asking, machine: "")
        protection.longestBlock = .milliseconds(1)
        let second = VaultSamples.vault(files, protection: protection)
        #expect(second.condition == .unreadable)
        #expect(second.contents.transactions.isEmpty)
        #expect(throws: FileError.self) { try second.put(VaultSamples.payload(2)) }
        async let isOpen = second.open()
        asking.answer.signal()
        #expect(await isOpen)
        #expect(second.condition == .intact)
        #expect(second.contents.transactions.map(\.id) == [1])
        // One question for all callers.
        #expect(asking.questions.withLock { $0 } == 1)
    }

    @Test(arguments: [true, false])
    func `a storage that can't keep the key leaves it to a file`(isLocked: Bool) throws {
        keyring.isLocked.withLock { $0 = isLocked }
        keyring.forgets.withLock { $0 = true }
        try vault().put(VaultSamples.payload(1))
        #expect(try files.read("device.key")?.count == 32)
        #expect(vault().contents.transactions.map(\.id) == [1])
    }

    @Test func `a removed secret is a refused vault`() throws {
        try vault().put(VaultSamples.payload(1))
        let second = vault(Keyring())
        #expect(second.condition == .refused)
        #expect(second.contents.transactions.isEmpty)
    }

    #if os(Linux)
        /// A program with the interface of `secret-tool` that keeps its secrets in a folder.
        private static let program = """
            #!/bin/sh
            folder=$(dirname "$0")
            case "$1" in
            store) shift 2; cat > "$folder/$(echo "$*" | cksum | cut -d' ' -f1)" ;;
            lookup) shift; cat "$folder/$(echo "$*" | cksum | cut -d' ' -f1)" 2>/dev/null || exit 1 ;;
            esac
            """

        @Test func `secret-tool stores and finds a secret`() throws {
            let device = try Device()
            let path = device.folder.appendingPathComponent("secret-tool")
            try Self.program.write(to: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path.path)
            let service = SecretService(program: path)
            #expect(try service.secret(of: "a\u{0}b") == nil)
            let secret = StoredSecret(key: Data((0..<32).map { UInt8($0) }), number: 12)
            try service.store(secret, of: "a\u{0}b")
            #expect(try service.secret(of: "a\u{0}b") == secret)
            #expect(try service.secret(of: "a\u{0}c") == nil)
        }

        @Test func `a secret-tool that fails isn't an empty one`() throws {
            let device = try Device()
            let path = device.folder.appendingPathComponent("secret-tool")
            try "#!/bin/sh\necho locked >&2\nexit 1\n".write(to: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path.path)
            let service = SecretService(program: path)
            #expect(throws: FileError.self) { try service.secret(of: "a") }
            #expect(throws: FileError.self) {
                try service.store(StoredSecret(key: Data(count: 32), number: 0), of: "a")
            }
        }
    #endif
}

/// A storage of secrets that asks the customer before it answers.
private final class AskingKeyring: VaultSecrets {
    let answer = DispatchSemaphore(value: 0)
    let questions = Mutex(0)
    private let keyring: Keyring

    init(_ keyring: Keyring) {
        self.keyring = keyring
    }

    func secret(of owner: String) throws -> StoredSecret? {
        questions.withLock { $0 += 1 }
        answer.wait()
        return try keyring.secret(of: owner)
    }

    func store(_ secret: StoredSecret, of owner: String) throws {
        try keyring.store(secret, of: owner)
    }
}

/// A storage of secrets in memory.
final class Keyring: VaultSecrets {
    private let secrets = Mutex<[String: StoredSecret]>([:])
    let isLocked = Mutex(false)
    let forgets = Mutex(false)

    private func checkLock() throws {
        if isLocked.withLock({ $0 }) { throw FileError(.other, path: "keyring", reason: "locked") }
    }

    func secret(of owner: String) throws -> StoredSecret? {
        try checkLock()
        return secrets.withLock { $0[owner] }
    }

    func store(_ secret: StoredSecret, of owner: String) throws {
        try checkLock()
        if !forgets.withLock({ $0 }) { secrets.withLock { $0[owner] = secret } }
    }
}
