import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Tampering with the queue's sealed file, and temporary read errors.
struct SealedLogTests {
    let device: Device
    let store = FakeStore()
    private let observers = Observers()

    init() throws {
        self.device = try Device()
    }

    private func queue(_ recorder: Recorder, files: (any FileStore)? = nil) async -> SKPaymentQueue {
        let queue = SKPaymentQueue(connection: device.connection(store, files: files))
        observers.hold(recorder)
        queue.add(recorder)
        await queue.settle()
        return queue
    }

    enum Damage: CaseIterable {
        case numberGone, numberBroken, contentGone, contentBroken, bothBroken

        func strike(_ files: FolderStore, _ name: String) throws {
            if self == .numberGone { try files.remove(name + ".number") }
            if self == .contentGone { try files.remove(name) }
            let broken: [String] =
                switch self {
                case .numberGone, .contentGone: []
                case .numberBroken: [name + ".number"]
                case .contentBroken: [name]
                case .bothBroken: [name, name + ".number"]
                }
            for file in broken {
                var bytes = try files.read(file) ?? Data()
                bytes[bytes.count / 2] ^= 1
                try files.write(bytes, to: file)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `a rolled-back queue is refused after any earlier damage`(damage: Damage) async throws {
        let recorder = Recorder()
        let first = await queue(recorder)
        await first.buy("coins")
        let old = try #require(try device.files.read("queue"))
        first.finishTransaction(try #require(recorder.last))
        await first.settle()
        await first.close()
        #expect(store.finished == ["1000"])
        try damage.strike(device.files, "queue")
        // Written once more, so that the damage is covered up.
        let second = SKPaymentQueue(connection: device.connection(store))
        await second.buy("filter")
        await second.close()
        try device.files.write(old, to: "queue")
        store.set { $0.isOffline = true }
        let third = Recorder()
        _ = await queue(third)
        #expect(third.log.isEmpty)
    }

    @Test(arguments: ["queue", "queue.number", "vault", "vault.number", "device.key"], [1, 3])
    func `a temporary read error is neither a loss nor tampering`(
        name: String, failures: Int
    ) async throws {
        let first = await queue(Recorder(finishes: true))
        await first.buy("filter")
        for _ in 0..<400 { store.script("transactions/1001/finish", .error(503, "unavailable", 0)) }
        await first.buy("coins")
        await first.close()
        store.set { $0.scripts = [:] }
        let recorder = Recorder()
        let second = await queue(recorder, files: StumblingFiles(device.files, failures: [name: failures]))
        for _ in 0..<6 { await second.synchronize() }
        #expect(recorder.log.filter { $0.hasPrefix("purchased") } == [])
        #expect(store.finished == ["1000", "1001"])
        #expect(second.vault.condition == .intact)
        #expect(second.vault.records.map(\.productIdentifier) == ["filter", "coins"])
        await second.buy("more")
        #expect(store.charges == 3)
        await second.close()
        let third = SKPaymentQueue(connection: device.connection(store))
        #expect(third.vault.records.map(\.productIdentifier) == ["filter", "coins"])
    }

    @Test func `a payment fails while the queue's file can't be read, and nothing is charged`() async throws {
        let first = await queue(Recorder(finishes: true))
        await first.buy("filter")
        await first.close()
        let recorder = Recorder()
        let second = await queue(recorder, files: StumblingFiles(device.files, failures: ["queue": 1000]))
        await second.buy("coins")
        #expect(recorder.log == ["failed coins"])
        #expect(store.charges == 1)
        let transaction = try #require(recorder.last)
        second.finishTransaction(transaction)
        await second.settle()
        #expect(recorder.log == ["failed coins", "removed coins"])
    }

    @Test func `a file that can't be opened isn't a missing one`() throws {
        let path = device.files.folder.appendingPathComponent("loop").path
        try FileManager.default.createDirectory(at: device.files.folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(throws: FileError.self) { try device.files.read("loop") }
        #expect(try device.files.read("nothing") == nil)
    }

    @Test func `concurrent writes of a file leave one of them complete`() throws {
        let files = device.files
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 32) { number in
            do {
                try files.write(Data(repeating: UInt8(number), count: 100_000), to: "receipt")
            } catch {
                failures.withLock { $0 += 1 }
            }
        }
        #expect(failures.withLock { $0 } == 0)
        let bytes = try #require(try files.read("receipt"))
        #expect(bytes.count == 100_000)
        #expect(Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path) == ["receipt"])
    }
}
