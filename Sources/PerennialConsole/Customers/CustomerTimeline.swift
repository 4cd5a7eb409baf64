import Perennial
import PerennialStorage
import PerennialStore

/// The events of a customer as a timeline, each with its postings and notifications in place.
struct CustomerTimeline {
    let request: PageRequest

    /// Returns a page of the timeline, with links to older and to the newest events.
    func blocks(_ page: ListPage<CustomerEvent>, of name: String) -> [Block] {
        guard !page.items.isEmpty else { return [.empty(EmptyState(text: .phrase(CustomerPhrases.noEvents)))] }
        var links =
            page.next.map { [Link(.phrase(CustomerPhrases.older), request.customerPath(name, after: $0))] } ?? []
        if request.query["after"] != nil {
            links.append(Link(.phrase(CustomerPhrases.newest), request.customerPath(name)))
        }
        return [.timeline(page.items.map(entry))] + (links.isEmpty ? [] : [.links(links)])
    }

    /// Returns an event in words, with links to what it is about.
    func entry(_ event: CustomerEvent) -> TimelineEntry {
        let wording = EventWording(event.entry.kind)
        let product = event.entry.productID?.rawValue ?? event.transaction?.productID.rawValue ?? ""
        var links: [Link] = []
        if let id = event.entry.transactionID { links.append(Link(.data("\(id)"), request.path("transactions/\(id)"))) }
        links += event.notifications.map { record in
            let name = [record.type, record.subtype].compactMap(\.self).joined(separator: " ")
            return Link(
                .joined([.data(name), .data(" · "), SendingWords.result(of: record)]),
                request.path("notifications/\(record.uuid)"))
        }
        var text = Text.phrase(
            wording.phrase, .data(product), event.transaction.map { .money($0.price) } ?? .none,
            .phrase(EventPhrases.name(event.entry.kind)))
        if let note = event.grantNote {
            let author = ChangeTimeline.author(note.actor)
            text =
                note.reason.map { .phrase(TimelinePhrases.grantedFor, .data(product), author, .data($0)) }
                ?? .phrase(TimelinePhrases.granted, .data(product), author)
        }
        return TimelineEntry(
            time: event.entry.at, text: text,
            status: wording.status, links: links, details: Self.postings(event.entry.postings))
    }

    /// Returns the money of an event: its postings, which sum to zero.
    static func postings(_ postings: [Posting]) -> [Block] {
        guard !postings.isEmpty else { return [] }
        let rows = postings.map {
            Table.Row([Cell(.phrase(LedgerWords.name(of: $0.account))), Cell(.money($0.amount))])
        }
        return [
            .table(
                Table(
                    caption: .phrase(ExplainPhrases.postings),
                    columns: [
                        .init(.phrase(CustomerPhrases.posting), .leading, .primary),
                        .init(.phrase(Words.amount), .trailing, .primary),
                    ], rows: rows))
        ]
    }
}

/// The answers to notifications in words.
enum SendingWords {
    /// The answer to the newest attempt.
    static func result(of record: NotificationRecord) -> Text {
        guard let attempt = record.attempts.last else { return .phrase(CustomerPhrases.notSent) }
        return .data(attempt.httpStatus.map { "\($0)" } ?? attempt.result)
    }
}
