/// An order in which a life's notifications arrive: positions from 0, each at least once unless it is being shortened.
package struct DeliveryOrder: Sendable, Hashable {
    package var name: String
    package var positions: [Int]

    package init(_ name: String, _ positions: [Int]) {
        self.name = name
        self.positions = positions
    }

    /// Every ordering that is legal and unpleasant, shortest stories first, then shuffled ones with repeats.
    ///
    /// - Parameters:
    ///   - count: How many notifications there are.
    ///   - shuffles: How many random orders.
    package static func all(of count: Int, shuffles: Int, seed: UInt64) -> [DeliveryOrder] {
        let plain = Array(0..<count)
        var orders = [DeliveryOrder("in order", plain)]
        orders.append(DeliveryOrder("each twice", plain.flatMap { [$0, $0] }))
        orders.append(DeliveryOrder("all, and all again", plain + plain))
        guard count > 1 else { return distinct(orders) }
        for late in plain.dropLast() {
            orders.append(DeliveryOrder("number \(late + 1) late", plain.filter { $0 != late } + [late]))
            orders.append(DeliveryOrder("number \(late + 1) once more at the end", plain + [late]))
        }
        for early in plain.dropFirst() where early < count - 1 || count == 2 {
            var swapped = plain
            swapped.swapAt(early - 1, early)
            orders.append(DeliveryOrder("number \(early + 1) before number \(early)", swapped))
        }
        orders.append(DeliveryOrder("backwards", plain.reversed()))
        var random = SeededRandom(seed: seed)
        for number in 0..<max(shuffles, 0) {
            var shuffled = plain
            for index in plain where random.chance(33) { shuffled.append(index) }
            for index in shuffled.indices.reversed() { shuffled.swapAt(index, random.below(index + 1)) }
            orders.append(DeliveryOrder("shuffled, number \(number + 1) of seed \(seed)", shuffled))
        }
        return distinct(orders)
    }

    /// The orders for version 1, whose notifications have no date of their own: an older one that comes after a newer one
    /// can't be told from news. So they come in order, or each twice.
    package static func withoutDates(of count: Int) -> [DeliveryOrder] {
        let plain = Array(0..<count)
        return distinct([
            DeliveryOrder("in order", plain), DeliveryOrder("each twice", plain.flatMap { [$0, $0] }),
        ])
    }

    private static func distinct(_ orders: [DeliveryOrder]) -> [DeliveryOrder] {
        var seen: Set<[Int]> = []
        return orders.filter { seen.insert($0.positions).inserted }
    }

    /// This order with one delivery left out, for each of them.
    var shortened: [DeliveryOrder] {
        guard positions.count > 1 else { return [] }
        return positions.indices.map { index in
            var fewer = positions
            fewer.remove(at: index)
            return DeliveryOrder(name, fewer)
        }
    }
}
