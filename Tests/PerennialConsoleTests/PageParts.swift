@testable import PerennialConsole

/// The parts of a page, wherever they stand.
extension Page {
    var forms: [Form] { blocks.flatMap(\.forms) }
    var tables: [Table] { blocks.flatMap(\.tables) }
    var orders: [OrderedList] { blocks.flatMap(\.orders) }
    var checks: [Check] { blocks.flatMap(\.checks) }
    var samples: [CodeSample] { blocks.flatMap(\.samples) }
    var notices: [Notice] { blocks.compactMap { if case .notice(let notice) = $0 { notice } else { nil } } }

    /// The fields with errors, by name.
    var errors: [String: Text] {
        Dictionary(forms.flatMap(\.fields).compactMap { field in field.error.map { (field.name, $0) } }) { first, _ in
            first
        }
    }

    func field(_ name: String) -> Field? { forms.flatMap(\.fields).first { $0.name == name } }
}

extension Block {
    private var inner: [Block] {
        switch self {
        case .columns(let columns): columns.flatMap { $0 }
        case .section(_, _, _, let blocks), .details(_, let blocks): blocks
        case .table(let table): table.rows.flatMap(\.details)
        default: []
        }
    }

    var forms: [Form] {
        if case .form(let form) = self { [form] } else { inner.flatMap(\.forms) }
    }

    var tables: [Table] {
        if case .table(let table) = self { [table] } else { inner.flatMap(\.tables) }
    }

    var checks: [Check] {
        if case .checks(let checks) = self { checks } else { inner.flatMap(\.checks) }
    }

    var orders: [OrderedList] {
        if case .order(let list) = self { [list] } else { inner.flatMap(\.orders) }
    }

    /// The buttons outside of tables.
    var allActions: [Action] {
        switch self {
        case .actions(let actions): actions
        case .section(_, _, let actions, let blocks): actions + blocks.flatMap(\.allActions)
        default: inner.flatMap(\.allActions)
        }
    }

    var allLinks: [Link] {
        if case .links(let links) = self { links } else { inner.flatMap(\.allLinks) }
    }

    var samples: [CodeSample] {
        if case .code(let sample) = self { [sample] } else { inner.flatMap(\.samples) }
    }
}
