import AppStoreFormats
import Foundation
import OpenStoreKit
import Synchronization

/// The store is killed while devices buy, and comes back with all it had acknowledged.
struct Crashing: Step {
    static let title = "The store is killed in the middle of purchases, and comes back"

    private static let names = ["Ann", "Ben", "Cleo", "Dan"]
    private static let purchasesEach = 10
    private static let total = names.count * purchasesEach
    /// Purchases that are acknowledged when the store is killed.
    private static let killAfter = 15

    let demo: DemoEnvironment

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        let owned = try await ownedByGreta()
        let phones = try await Self.names.asyncMap { name in
            let person = Person(name: name, storefront: "USA", language: "en-US")
            try await demo.control.account(of: person)
            return try demo.device(of: person, called: "\(name)'s phone")
        }
        printer.sent("\(phones.count) phones", "SKPayment film.roll, \(Self.purchasesEach) times each, all at once")
        let (strike, signal) = AsyncStream<Void>.makeStream()
        let tally = Tally { if $0 == Self.killAfter { signal.finish() } }
        let answered = try await withThrowingTaskGroup(of: [String].self) { group in
            for phone in phones {
                group.addTask {
                    try await Self.buyFilm(on: phone, tally)
                    return []
                }
            }
            group.addTask {
                for await _ in strike {}
                return try await killAndRestart(phones, tally, printer)
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try await count(phones, answered, printer)
        let after = try await ownedByGreta()
        try expect("what Greta owns after the crash", after, is: owned)
        printer.sent(demo.greta.name, "SKReceiptRefreshRequest")
        printer.came("the same \(after.count) purchases as before the crash")
        return ((), "\(Self.total) paid, \(Self.total) there, none twice, none lost: the keys made retries safe.")
    }

    private func ownedByGreta() async throws -> Set<String> {
        let receipt = try await demo.greta.connection.refreshReceipt()
        return Set(try demo.greta.purchases(in: receipt).map(\.transactionID))
    }

    /// Buys one after the other, and again where the store didn't answer, as a customer would.
    private static func buyFilm(on phone: Device, _ tally: Tally) async throws {
        let roll = try await phone.product("film.roll")
        while Set(phone.observer.transactions(.purchased).compactMap(\.transactionIdentifier)).count < purchasesEach {
            let outcome = try await phone.buy(roll)
            if let number = outcome.transaction.transactionIdentifier {
                tally.add(number)
            } else {
                // No answer in all tries: it may be paid all the same, which the store's unfinished transactions tell.
                try await phone.finish(outcome.transaction)
                await phone.queue.synchronize()
            }
        }
    }

    /// - Returns: What was acknowledged before the kill.
    private func killAndRestart(_ phones: [Device], _ tally: Tally, _ printer: Printer) async throws -> [String] {
        try await demo.store.process.kill()
        let answered = tally.numbers
        let underWay = phones.map { phone in
            phone.observer.transactions(.purchasing).count - phone.observer.transactions(.purchased).count
        }
        printer.came("\(answered.count) purchases acknowledged, \(underWay.reduce(0, +)) under way, then silence")
        printer.sent("operator", "SIGKILL to process \(demo.store.process.identifier), then perennial serve again")
        let clock = ContinuousClock()
        let start = clock.now
        let store = try await StoreServer.start(
            in: demo.folder, database: demo.database.store, port: demo.store.port, demo.cleanup)
        try expect("the store's URL", store.url, is: demo.store.url)
        let seconds = Printer.rounded(start.duration(to: clock.now).seconds)
        printer.came("process \(store.process.identifier), same port, same data, ready after \(seconds) s")
        printer.sent("\(Self.names.count) phones", "the payments without an answer again, each with its own key")
        return answered
    }

    /// Counts through the devices: what the observers were told, and what the receipts prove.
    private func count(_ phones: [Device], _ answered: [String], _ printer: Printer) async throws {
        var inReceipts: [String] = []
        var seen: [String] = []
        for phone in phones {
            let purchases = try phone.purchases(in: try await phone.connection.refreshReceipt())
            inReceipts += purchases.map(\.transactionID)
            seen += Set(phone.observer.transactions(.purchased).compactMap(\.transactionIdentifier))
        }
        try expect("purchases that the observers saw", seen.count, is: Self.total)
        try expect("purchases in the receipts", inReceipts.count, is: Self.total)
        try expect("purchases in the receipts, each counted once", Set(inReceipts).count, is: Self.total)
        try expect("the receipts hold what the observers saw", Set(inReceipts) == Set(seen), came: "others")
        let lost = Set(answered).subtracting(inReceipts)
        try expect("acknowledged before the kill and lost", lost.sorted(), is: [])
        printer.came(
            "\(seen.count) purchased; the receipts hold \(inReceipts.count), each once, the first \(answered.count) too"
        )
    }
}

/// The purchases that all devices saw acknowledged.
private final class Tally: Sendable {
    private let state = Mutex<[String]>([])
    private let isCounting: @Sendable (Int) -> Void

    /// - Parameter isCounting: Told of each new count.
    init(_ isCounting: @escaping @Sendable (Int) -> Void) {
        self.isCounting = isCounting
    }

    func add(_ number: String) {
        let count = state.withLock { numbers in
            numbers.append(number)
            return numbers.count
        }
        isCounting(count)
    }

    var numbers: [String] { state.withLock { $0 } }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
