import Perennial

/// A part of a page. Templates exist for these alone, so that all pages look and behave alike.
indirect enum Block: Sendable {
    /// Large figures in a row.
    case figures([Figure])
    case table(Table)
    /// Names and values, one below the other.
    case facts([Fact])
    case form(Form)
    case chart(Chart)
    case timeline([TimelineEntry])
    /// Text, JSON or bytes in a fixed-width font, with a button that copies it.
    case code(CodeSample)
    case notice(Notice)
    /// The first thing to do where there is nothing yet.
    case empty(EmptyState)
    /// Blocks beside each other on a wide screen, below each other on a narrow one.
    case columns([[Block]])
    /// A heading with its blocks; `id` is the anchor of links.
    case section(Text, id: String? = nil, actions: [Action] = [], [Block])
    /// Closed until it is opened.
    case details(Text, [Block])
    case checks([Check])
    case paragraph(Text)
    case links([Link])
    /// Buttons in a row.
    case actions([Action])
    case same(SameCommand)
    /// Choices that change the page's query: spans, filters.
    case filter(Filter)
    /// A list that fills itself from a stream of server-sent events.
    case live(LiveList)
    /// Items that are put in order by drag, or by the buttons of their rows.
    case order(OrderedList)
}

/// One large figure.
struct Figure: Sendable {
    var label: Text
    var value: Text
    /// Amounts that the value doesn't have: those in other currencies.
    var others: Text?
    /// The change against the span before.
    var change: Double?
    /// True if a decrease is good: refunds, churn.
    var isBetterLower = false
    /// Meaning of the figure; a hover or a tap away.
    var definition: Text
    /// Path of the figure's explanation, or of the list behind it.
    var path: String?
    /// A line without axes beside the figure.
    var sparkline: [Double] = []
}

/// A table. On a phone each row takes two lines: the columns of ``Column/Place/primary`` first.
struct Table: Sendable {
    struct Column: Sendable {
        enum Alignment: Sendable { case leading, trailing }
        /// The line on a phone: what and how much above, when and where below; or left out.
        enum Place: Sendable { case primary, secondary, wideOnly }

        var title: Text
        var alignment = Alignment.leading
        var place = Place.secondary
        /// Meaning of the column's figures.
        var definition: Text?

        init(_ title: Text, _ alignment: Alignment = .leading, _ place: Place = .secondary, definition: Text? = nil) {
            self.title = title
            self.alignment = alignment
            self.place = place
            self.definition = definition
        }
    }

    struct Row: Sendable {
        /// One for each column.
        var cells: [Cell]
        /// Details in place below the row when it is opened.
        var details: [Block] = []
        var actions: [Action] = []
        var isTotal = false

        init(_ cells: [Cell], details: [Block] = [], actions: [Action] = [], isTotal: Bool = false) {
            self.cells = cells
            self.details = details
            self.actions = actions
            self.isTotal = isTotal
        }
    }

    /// Says what the table holds, to screen readers.
    var caption: Text
    var columns: [Column]
    var rows: [Row]
    /// The path of the next page; `nil` on the last.
    var next: String?
    /// The path of the first page, where this isn't it.
    var first: String?
    /// Shown in place of a table without rows.
    var empty: EmptyState?
}

/// A cell: a text, with a link, a status or a heat where it has one.
struct Cell: Sendable {
    var text: Text
    var path: String?
    var status: Status?
    /// 0 to 1: how strongly the accent colour fills the cell, for retention.
    var heat: Double?
    /// Meaning of the value, or its exact form.
    var title: Text?
    /// True for IDs, codes and keys.
    var isFixedWidth = false

    init(
        _ text: Text, path: String? = nil, status: Status? = nil, heat: Double? = nil, title: Text? = nil,
        isFixedWidth: Bool = false
    ) {
        self.text = text
        self.path = path
        self.status = status
        self.heat = heat
        self.title = title
        self.isFixedWidth = isFixedWidth
    }

    /// An ID, with a link to its page.
    static func id(_ id: String, path: String? = nil) -> Cell { Cell(.data(id), path: path, isFixedWidth: true) }
}

/// The kind of a status: its colour and mark.
enum Status: String, Sendable {
    case good, warning, bad, neutral
}

/// A name and its value.
struct Fact: Sendable {
    var name: Text
    var value: Cell
    /// Meaning of the value.
    var definition: Text?

    init(_ name: Text, _ value: Cell, definition: Text? = nil) {
        self.name = name
        self.value = value
        self.definition = definition
    }
}

struct TimelineEntry: Sendable {
    var time: Instant
    var text: Text
    var status = Status.neutral
    var links: [Link] = []
    /// Details in place below the entry when it is opened.
    var details: [Block] = []
}

struct CodeSample: Sendable {
    var label: Text
    var text: String
}

struct Notice: Sendable {
    var status: Status
    var text: Text
    /// Advice on what to do.
    var advice: Text?
    var links: [Link] = []
}

struct EmptyState: Sendable {
    var text: Text
    var action: Action?
    var same: SameCommand?
}

/// One check of a verification.
struct Check: Sendable {
    enum Outcome: String, Sendable { case passed, failed, skipped }

    var outcome: Outcome
    var name: Text
    /// Finding; for a failure, the likely reason and what would be right.
    var reason: Text?
    var details: [Block] = []
}

/// Choices in one row; each is a link that keeps the page's other choices. On a phone, more than one are in a sheet from
/// below, which a button opens that says what is selected.
struct Filter: Sendable {
    /// A choice of one of several values of a parameter of the query.
    struct Choice: Sendable {
        var label: Text
        var parameter: String
        var options: [(value: String, text: Text)]
        /// The value that is selected; of several, with commas between them.
        var selected: String
        /// True if each value is selected by itself: a second choice of it takes it back.
        var allowsSeveral = false
    }

    /// A field to search in.
    struct Search: Sendable {
        var label: Text
        var parameter: String
        var value: String
        var placeholder: Text?
    }

    var choices: [Choice] = []
    var searches: [Search] = []
    /// A form of its own beside them, such as that of any days.
    var form: Form?
    /// Kept in the query: `name` and value.
    var hidden: [String: String] = [:]
}

/// A list that fills from above while the page is open.
struct LiveList: Sendable {
    /// The path of the stream. Each of its events holds a row, rendered.
    var path: String
    var empty: Text
    /// The rows that are there already, newest first.
    var rows: [LiveRow]
}

struct LiveRow: Sendable {
    /// Unique in the list.
    var id: String
    var time: Instant
    /// The kind in the filter: transaction, notification, request…
    var kind: String
    /// The kind's name, before the text.
    var kindText: Text?
    var text: Text
    var status = Status.neutral
    var path: String?
    var details: [Block] = []
    /// The environment's time when the row was made; the page's if omitted.
    var made: Instant?
    /// The place in the journal after this row, from which a stream goes on; `nil` if further rows belong to the same place.
    var position: String?
}

/// Items in an order that can be changed; the form posts `order` with the items' IDs, in their new order, separated by commas.
struct OrderedList: Sendable {
    struct Item: Sendable {
        var id: String
        var text: Text
        var path: String?
        /// The note of items of the same level.
        var note: Text?
    }

    var label: Text
    var path: String
    var items: [Item]
    /// Hidden fields of the form.
    var fields: [String: String] = [:]
}
