import Perennial

/// An invented history of an app: its customers with everything that they do, in order of time.
///
/// It is a function of its properties, so the same seed gives the same history on every machine. It grows, has seasons
/// and weekends, and its customers live in ten storefronts.
package struct HistoryPlan: Sendable {
    package static let customersAllowed = 1...100_000
    package static let monthsAllowed = 1...60

    package let seed: UInt64
    package let customers: Int
    package let start: Instant
    package let end: Instant
    package let catalog: HistoryCatalog

    package init(seed: UInt64, customers: Int, start: Instant, end: Instant, catalog: HistoryCatalog) {
        self.seed = seed
        self.customers = customers
        self.start = start
        self.end = end
        self.catalog = catalog
    }

    /// Returns all steps, sorted by time, those of one instant by customer.
    package func steps() -> [HistoryStep] {
        var random = SeededRandom(seed: seed)
        let joins = joinDays(&random)
        let releases = releases(&random)
        var steps: [HistoryStep] = []
        for (number, day) in joins.enumerated() {
            var life = CustomerHistory(number: number, joins: day, releases: releases, plan: self, seed: random.next())
            life.live()
            steps += life.steps
        }
        // The steps of one customer at one instant keep their order.
        let sorted = steps.enumerated().sorted { one, other in
            (one.element.at, one.element.customer, one.offset) < (
                other.element.at, other.element.customer, other.offset
            )
        }
        return sorted.map(\.element).filter { $0.at < end }
    }

    var days: Int { max(1, Int((end - start) / .days(1))) }

    /// Returns the customers' days of joining, in order. Sign-ups triple from the first day to the last.
    private func joinDays(_ random: inout SeededRandom) -> [Int] {
        var cumulative: [Int] = []
        var total = 0
        for day in 0..<days {
            let growth = 1000 + 2000 * day / days
            total += growth * demand(on: day) / 100 + 1
            cumulative.append(total)
        }
        let picked = (0..<customers).map { _ in random.below(total) }
        return picked.map { number in cumulative.partitioningIndex { $0 > number } }.sorted()
    }

    /// The demand of a day in percent of an ordinary one: more at weekends and before Christmas, less in summer.
    func demand(on day: Int) -> Int {
        let date = (start + .days(Int64(day))).civil.date
        let weekday = [0, 6].contains(date.weekday) ? 135 : 90
        let season =
            switch date.month {
            case 12: 145
            case 11: 120
            case 7, 8: 82
            case 1: 110
            default: 100
            }
        return weekday * season / 100
    }

    /// An app version with its day of release.
    struct Release: Sendable {
        var day: Int
        var version: String
    }

    /// Returns the versions of the app: the first at the start, then one every four to seven weeks.
    private func releases(_ random: inout SeededRandom) -> [Release] {
        var releases = [Release(day: 0, version: "1.0")]
        var day = 28 + random.below(21)
        while day < days {
            let number = releases.count
            releases.append(Release(day: day, version: number < 6 ? "1.\(number)" : "2.\(number - 6)"))
            day += 28 + random.below(21)
        }
        return releases
    }
}

extension [Int] {
    /// Returns the first index whose element satisfies a predicate that stays true from there on; the last without one.
    fileprivate func partitioningIndex(where predicate: (Int) -> Bool) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension SeededRandom {
    /// Returns an element of a list with weights, each in proportion to its weight.
    mutating func pick<Element>(weighted elements: [(Element, Int)]) -> Element {
        var number = below(elements.reduce(0) { $0 + $1.1 })
        for (element, weight) in elements {
            if number < weight { return element }
            number -= weight
        }
        return elements[elements.count - 1].0
    }

    /// Returns a number within a range.
    mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// Returns a UUID in upper case.
    mutating func uuid() -> String {
        let digits = Array("0123456789ABCDEF")
        let text = (0..<32).map { place in
            // Version 4, variant 1 (RFC 9562).
            place == 12 ? "4" : String(place == 16 ? digits[8 + below(4)] : digits[below(16)])
        }.joined()
        let characters = Array(text)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(characters[$0]) }.joined(separator: "-")
    }
}
