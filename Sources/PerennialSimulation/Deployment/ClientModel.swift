import Perennial
import PerennialStorage
import PerennialStorage
import PerennialStore

/// The customers' own knowledge: their requests and the answers to them. Nothing of it is read from the database.
struct ClientModel: Sendable {
    struct Request: Sendable {
        var request: PurchaseRequest
        /// The transaction of the answer; `nil` without an answer, or after a refusal.
        var sold: TransactionID?
        var isRefused = false
    }

    private(set) var customers: [SimulatedAction.Person: Customer] = [:]
    private(set) var people: [Account.ID: SimulatedAction.Person] = [:]
    /// Requests in the order in which they were sent.
    var requests: [SimulatedAction.Person: [Request]] = [:]
    var refunded: [SimulatedAction.Person: Set<TransactionID>] = [:]
    var finished: [SimulatedAction.Person: Set<TransactionID>] = [:]
    var devices: [SimulatedAction.Person: [Int: DeviceSession]] = [:]
    var seller = SellerModel()
    var finance = FinanceModel()
    var refusals = 0
    var answers = 0

    /// Interleaved action that met the lock.
    var postponed: SimulatedAction?
    var failures: [Violation] = []

    mutating func add(_ customer: Customer, _ person: SimulatedAction.Person) {
        customers[person] = customer
        people[customer.key.account] = person
    }

    mutating func record(_ answer: Answer, of operation: Operation) {
        answers += 1
        if case .edited(let edit, let now) = answer { seller.apply(edit, at: now) }
        if case .approved(let request, let person?, let id?) = answer { recordApproval(of: request, by: person, id) }
        finance.apply(answer)
        guard let person = operation.action.person else { return }
        switch answer {
        case .done, .approved, .edited, .ratesLoaded, .closed, .adjusted: break
        case .sold(let request, let id): update(person, request) { $0.sold = id }
        case .refunded(let id): refunded[person, default: []].insert(id)
        case .finished(let id): finished[person, default: []].insert(id)
        case .signedIn(let session, let device): devices[person, default: [:]][device] = session
        case .uninstalled(let device): devices[person]?[device] = nil
        }
    }

    mutating func recordRefusal(of operation: Operation) {
        refusals += 1
        if let person = operation.action.person, let request = operation.request {
            update(person, request) { if $0.sold == nil { $0.isRefused = true } }
        }
    }

    /// Records a request before it is sent, since it may be sold without an answer. Repeats under the same idempotency key are
    /// one request.
    mutating func recordRequest(_ request: PurchaseRequest, by person: SimulatedAction.Person) {
        let isRepeat = requests[person, default: []].contains { $0.request == request }
        guard !isRepeat || request.idempotencyKey == nil else { return }
        requests[person, default: []].append(Request(request: request))
    }

    /// Records a sale by Ask to Buy. Each needs a request of its own.
    private mutating func recordApproval(
        of request: PurchaseRequest, by person: SimulatedAction.Person, _ id: TransactionID
    ) {
        let open = requests[person, default: []].firstIndex {
            $0.request == request && ($0.sold == nil || $0.sold == id)
        }
        if let open {
            requests[person, default: []][open].sold = id
        } else {
            failures.append(Violation(.soldTwice, "\(id) is another sale of an approved request", person: person))
        }
    }

    private mutating func update(
        _ person: SimulatedAction.Person, _ request: PurchaseRequest, _ change: (inout Request) -> Void
    ) {
        guard let index = requests[person]?.firstIndex(where: { $0.request == request }) else { return }
        change(&requests[person, default: []][index])
    }
}

/// The store's answer to an action.
enum Answer: Sendable {
    case done
    case sold(PurchaseRequest, TransactionID)
    case approved(PurchaseRequest, by: SimulatedAction.Person?, TransactionID?)
    case refunded(TransactionID)
    case finished(TransactionID)
    case signedIn(DeviceSession, device: Int)
    case uninstalled(device: Int)
    /// An edit of the catalog, by the environment's clock.
    case edited(CatalogEdit, at: Instant)
    case ratesLoaded([ExchangeRate])
    case closed([ClosedMonthsTable.Record])
    case adjusted(FinanceAdjustmentsTable.Record)
}

/// An action with its object chosen, so that each attempt acts on the same one.
struct Operation: Sendable {
    let action: SimulatedAction
    /// The request of a purchase.
    var request: PurchaseRequest?
    let run: @Sendable (Node) async throws -> Answer

    init(
        _ action: SimulatedAction, _ request: PurchaseRequest? = nil,
        run: @escaping @Sendable (Node) async throws -> Answer
    ) {
        self.action = action
        self.request = request
        self.run = run
    }
}
