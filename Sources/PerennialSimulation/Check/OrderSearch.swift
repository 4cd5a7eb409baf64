import Perennial

/// Searches for an order of a customer's requests that explains every answer.
///
/// Depth first over the steps that can come next, with a memory of what led nowhere (Wing and Gong, “Testing and Verifying
/// Concurrent Objects”; Lowe, “Testing for Linearizability”). Deciding this is NP-complete, so the steps are limited.
struct OrderSearch {
    enum Verdict: Equatable {
        case explained
        /// Reports that no order explains the answers.
        case unexplained
        /// The limit was reached before an order was found.
        case undecided
    }

    /// A place in the search: the steps that have taken effect, and the state they led to.
    private struct Place: Hashable {
        var taken: Bits
        var state: CustomerModel.State
    }

    private struct Frame {
        var place: Place
        /// The places to try next, the last one first.
        var next: [Place]
    }

    private let model: CustomerModel
    private let stepsMax: Int
    /// Indices of the steps with an answer, by their begin, and of those without one.
    private let answered: [Int]
    private let unanswered: [Int]

    init(_ customer: CustomerOperations, products: [String: String], stepsMax: Int) {
        self.init(customer.operations.map(\.operation), products: products, stepsMax: stepsMax)
    }

    /// - Parameter operations: The operations of one customer, by their begin.
    init(_ operations: [RecordedOperation], products: [String: String], stepsMax: Int) {
        model = CustomerModel(operations, products: products)
        self.stepsMax = stepsMax
        answered = model.steps.indices.filter { [model] in !model.steps[$0].isUnknown }
        unanswered = model.steps.indices.filter { [model] in model.steps[$0].isUnknown }
    }

    func run() -> (verdict: Verdict, steps: Int) {
        var seen: Set<Place> = []
        var steps = 0
        let start = Place(taken: Bits(), state: model.start)
        var frames = [Frame(place: start, next: [])]
        guard !isComplete(start) else { return (.explained, 0) }
        frames[0].next = places(after: start, &steps)
        while var frame = frames.popLast() {
            guard steps <= stepsMax else { return (.undecided, steps) }
            guard let place = frame.next.popLast() else { continue }
            frames.append(frame)
            guard seen.insert(place).inserted else { continue }
            if isComplete(place) { return (.explained, steps) }
            frames.append(Frame(place: place, next: places(after: place, &steps)))
        }
        return (.unexplained, steps)
    }

    /// True if all steps with an answer have taken effect.
    private func isComplete(_ place: Place) -> Bool { answered.allSatisfy(place.taken.contains) }

    /// The places after one more step.
    private func places(after place: Place, _ steps: inout Int) -> [Place] {
        // A step can't come after one that had begun when it was over.
        var limit = Int64.max
        var candidates: [Int] = []
        for index in answered where !place.taken.contains(index) {
            let step = model.steps[index]
            guard step.begin <= limit else { break }
            limit = min(limit, step.end)
            candidates.append(index)
        }
        candidates.removeAll { model.steps[$0].begin > limit }
        var answeredPlaces: [Place] = []
        for index in candidates {
            steps += 1
            for state in model.states(after: model.steps[index], from: place.state) {
                var next = Place(taken: place.taken, state: state)
                next.taken.insert(index)
                // A step that changes nothing can as well come now: every order goes on in the same way without it.
                if state == place.state { return [next] }
                answeredPlaces.append(next)
            }
        }
        // Tried last: most requests without an answer were answered when they were repeated.
        var places: [Place] = []
        var cards: Set<Bool> = []
        for index in unanswered where !place.taken.contains(index) && model.steps[index].begin <= limit {
            var isCard = false
            if case .card(let isAccepted) = model.steps[index].step {
                // Of equal changes the first to begin can come wherever another can.
                guard cards.insert(isAccepted).inserted else { continue }
                isCard = true
            }
            steps += 1
            for state in model.states(after: model.steps[index], from: place.state) {
                var next = Place(taken: place.taken, state: state)
                // The others change nothing a second time, so that all that repeat a request lead to one place.
                if isCard { next.taken.insert(index) }
                places.append(next)
            }
        }
        return places + answeredPlaces.reversed()
    }
}
