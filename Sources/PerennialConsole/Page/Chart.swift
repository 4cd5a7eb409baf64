/// A chart with the figures behind it: SVG that the server draws.
struct Chart: Sendable {
    /// Says what is shown.
    var title: Text
    /// A sentence that says the trend, for `role="img"`.
    var summary: Text
    /// Returns `<svg>…</svg>`, the one place where markup doesn't come from a template. It is handed the form of texts in the
    /// page's language.
    var svg: @Sendable (_ text: (Text) -> String) -> String
    /// The same for a phone's screen, where there is such a drawing.
    var narrow: (@Sendable (_ text: (Text) -> String) -> String)?
    /// The same figures.
    var table: Table
}
