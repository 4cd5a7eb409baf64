/// The markup of plain cells of tables and facts: a template for each form, because a page has hundreds of cells and each name
/// that a template looks up costs more than the text.
enum CellTemplates {
    /// The content of a cell.
    enum Content: String, CaseIterable {
        case text = "{{.text}}"
        case link = "<a href=\"{{.path}}\">{{.text}}</a>"
        case code = "<code>{{.text}}</code>"
        case linkedCode = "<a href=\"{{.path}}\"><code>{{.text}}</code></a>"
        case status = "<span class=\"status {{.status}}\">{{.text}}</span>"
        case time = "<time datetime=\"{{.iso}}\" title=\"{{.exact}}\">{{.text}}</time>"
        // The same with places at which a line may break: to look for them costs time.
        case textInPieces = "{{.text}}{{#.pieces}}<wbr>{{.}}{{/.pieces}}"
        case linkInPieces = "<a href=\"{{.path}}\">{{.text}}{{#.pieces}}<wbr>{{.}}{{/.pieces}}</a>"
        case codeInPieces = "<code>{{.text}}{{#.pieces}}<wbr>{{.}}{{/.pieces}}</code>"
        case linkedCodeInPieces =
            "<a href=\"{{.path}}\"><code>{{.text}}{{#.pieces}}<wbr>{{.}}{{/.pieces}}</code></a>"

        /// The content whose text has several pieces.
        var inPieces: Content {
            switch self {
            case .text: .textInPieces
            case .link: .linkInPieces
            case .code: .codeInPieces
            case .linkedCode: .linkedCodeInPieces
            default: self
            }
        }
    }

    /// The classes of columns.
    static let classes = ["", "first", "wide", "end", "end first", "end wide"]

    /// Returns the name of a form's template.
    ///
    /// - Parameter isLabelled: True if the cell has its column's title for phones.
    static func name(isHead: Bool, class name: String, isLabelled: Bool, _ content: Content) -> String {
        "\(isHead ? "th" : "td")|\(name)|\(isLabelled ? "label" : "")|\(content)"
    }

    /// Returns the name of the template of a fact with a plain value.
    static func factName(_ content: Content) -> String { "fact|\(content)" }

    static let all: [String: String] = {
        var templates: [String: String] = [:]
        for content in Content.allCases {
            templates[factName(content)] = "<div><dt>{{.name}}</dt><dd>\(content.rawValue)</dd></div>"
            for name in classes {
                let opening = name.isEmpty ? "" : " class=\"\(name)\""
                for isLabelled in [false, true] {
                    let label = isLabelled ? " data-label=\"{{.label}}\"" : ""
                    templates[Self.name(isHead: false, class: name, isLabelled: isLabelled, content)] =
                        "<td\(opening)\(label)>\(content.rawValue)</td>"
                }
                templates[Self.name(isHead: true, class: name, isLabelled: false, content)] =
                    "<th scope=\"row\"\(opening)>\(content.rawValue)</th>"
            }
        }
        return templates
    }()
}
