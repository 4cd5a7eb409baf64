import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("The clock of a session")
struct SessionClockTests {
    private static let date = Date(timeIntervalSince1970: 1_767_225_600)

    @Test("Follows real time")
    func realTime() throws {
        let session = try Fixtures.session()
        #expect(abs(session.clock.now.timeIntervalSinceNow) < 60)
        #expect(!session.clock.isStopped)
    }

    @Test("A stopped clock gives purchases the same date")
    func stopped() async throws {
        try await Fixtures.withSession { session in
            session.clock.stop()
            try session.clock.set(to: Self.date)
            let dates = try await [Fixtures.film, Fixtures.silver].asyncMap {
                try await session.buyProduct(identifier: $0).purchaseDate
            }
            #expect(dates == [Self.date, Self.date])
            #expect(session.clock.now == Self.date)
        }
    }

    @Test("Goes back only while nothing was bought")
    func back() async throws {
        try await Fixtures.withSession { session in
            try session.clock.set(to: Self.date)
            try await session.buyProduct(identifier: Fixtures.film)
            let error = #expect(throws: SKTestError.self) {
                try session.clock.set(to: Self.date.addingTimeInterval(-60))
            }
            #expect(error?.code == .invalidAction)
            #expect(throws: SKTestError.self) { try session.clock.advance(by: .seconds(-1)) }
            session.clearTransactions()
            #expect(abs(session.clock.now.timeIntervalSinceNow) < 60)
        }
    }

    @Test("Calendar components")
    func components() throws {
        let session = try Fixtures.session()
        session.clock.stop()
        try session.clock.set(to: Self.date)
        try session.clock.advance(by: DateComponents(month: 1))
        #expect(session.clock.now.timeIntervalSince(Self.date) == 31 * 86_400)
        try session.clock.advance(by: DateComponents(year: 1, day: 1))
        #expect(session.clock.now.timeIntervalSince(Self.date) == (31 + 366) * 86_400)
    }

    @Test("Everything on the way happens, each at its time")
    func inOrder() async throws {
        try await Fixtures.withSession { session in
            session.clock.stop()
            try session.clock.set(to: Self.date)
            try await session.buyProduct(identifier: Fixtures.weekly)
            try session.clock.advance(by: .seconds(30 * 86_400))
            let dates = session.allTransactions().map { Int($0.purchaseDate.timeIntervalSince(Self.date)) / 86_400 }
            #expect(dates == [0, 7, 14, 21, 28])
            #expect(session.clock.now == Self.date.addingTimeInterval(30 * 86_400))
        }
    }

    @Test("A date that the store can't write")
    func outOfRange() throws {
        let session = try Fixtures.session()
        let error = #expect(throws: SKTestError.self) {
            try session.clock.set(to: .distantFuture.addingTimeInterval(1e12))
        }
        #expect(error?.code == .invalidAction)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
