/// An order in which a scenario's notifications arrive, by their positions from 0. Each arrives at least once, except while a
/// failure is shortened.
package struct ArrivalOrder: Sendable, Hashable {
    package var name: String
    package var positions: [Int]

    package init(_ name: String, _ positions: [Int]) {
        self.name = name
        self.positions = positions
    }

    /// Makes every legal but unpleasant order: first single exchanges and repeats, then shuffled orders with repeats.
    ///
    /// - Parameters:
    ///   - count: Number of notifications.
    ///   - shuffles: Number of random orders.
    package static func all(of count: Int, shuffles: Int, seed: UInt64) -> [ArrivalOrder] {
        let plain = Array(0..<count)
        var orders = [ArrivalOrder("in order", plain)]
        orders.append(ArrivalOrder("each twice", plain.flatMap { [$0, $0] }))
        orders.append(ArrivalOrder("all, and all again", plain + plain))
        guard count > 1 else { return distinct(orders) }
        for late in plain.dropLast() {
            orders.append(ArrivalOrder("number \(late + 1) late", plain.filter { $0 != late } + [late]))
            orders.append(ArrivalOrder("number \(late + 1) once more at the end", plain + [late]))
        }
        for early in plain.dropFirst() where early < count - 1 || count == 2 {
            var swapped = plain
            swapped.swapAt(early - 1, early)
            orders.append(ArrivalOrder("number \(early + 1) before number \(early)", swapped))
        }
        orders.append(ArrivalOrder("backwards", plain.reversed()))
        var random = SeededRandom(seed: seed)
        for number in 0..<max(shuffles, 0) {
            var shuffled = plain
            for index in plain where random.chance(33) { shuffled.append(index) }
            for index in shuffled.indices.reversed() { shuffled.swapAt(index, random.below(index + 1)) }
            orders.append(ArrivalOrder("shuffled, number \(number + 1) of seed \(seed)", shuffled))
        }
        return distinct(orders)
    }

    /// Makes the orders for version 1. Its notifications have no date, so a late one can't be told from a new one: they arrive in
    /// order, or each twice.
    package static func withoutDates(of count: Int) -> [ArrivalOrder] {
        let plain = Array(0..<count)
        return distinct([
            ArrivalOrder("in order", plain), ArrivalOrder("each twice", plain.flatMap { [$0, $0] }),
        ])
    }

    private static func distinct(_ orders: [ArrivalOrder]) -> [ArrivalOrder] {
        var seen: Set<[Int]> = []
        return orders.filter { seen.insert($0.positions).inserted }
    }

    /// Orders with one position less.
    var shortened: [ArrivalOrder] {
        guard positions.count > 1 else { return [] }
        return positions.indices.map { index in
            var fewer = positions
            fewer.remove(at: index)
            return ArrivalOrder(name, fewer)
        }
    }
}
