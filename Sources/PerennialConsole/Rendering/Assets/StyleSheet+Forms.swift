/// Forms and charts.
extension StyleSheet {
    static let forms = """
        .form{display:grid;gap:16px;max-width:560px}
        .form.row{display:flex;flex-wrap:wrap;align-items:start;gap:8px 16px;max-width:none}
        .form.row .field{flex:0 1 176px}
        .form.row .buttons{margin-top:24px}
        .field{display:grid;gap:4px;min-width:0}
        .field>label{font-size:13px;font-weight:500}
        .field.box>label{display:flex;align-items:center;gap:8px;font-weight:400;font-size:14px}
        .required{color:var(--muted);font-weight:400}
        input:not([type=checkbox]):not([type=file]),select,textarea{width:100%;min-height:34px;padding:5px 10px;
          border:1px solid var(--edge);border-radius:6px;background:var(--ground)}
        .search input[type=search]{min-height:0;padding:0;border:0;background:none}
        select{-webkit-appearance:none;appearance:none;padding-inline-end:28px;
          background:var(--ground) url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='6' fill='none' stroke='%23808793' stroke-width='1.5'%3E%3Cpath d='m1 1 4 4 4-4'/%3E%3C/svg%3E") no-repeat right 10px center}
        .filter input,.filter select{width:auto;min-width:128px;max-width:100%}
        textarea{resize:vertical;line-height:1.5}
        input[type=checkbox]:not(.opener){width:16px;height:16px;accent-color:var(--accent)}
        input:focus-visible,select:focus-visible,textarea:focus-visible{outline-offset:0;border-color:var(--accent)}
        .invalid input:not([type=checkbox]),.invalid select,.invalid textarea{border-color:var(--bad)!important}
        .hint{color:var(--muted);font-size:12px}
        .error{color:var(--bad);font-size:13px}
        .form>.error,.warning:not(.mark,.status,.notice){padding:8px 12px;border-radius:6px;background:var(--bad-tint)}
        .form>.warning{background:var(--warning-tint);color:var(--ink)}
        .buttons{display:flex;flex-wrap:wrap;align-items:center;gap:8px}
        .form .button.danger{background:var(--bad);color:var(--ground)}
        .form .button.danger:hover{background:color-mix(in srgb,var(--bad) 88%,var(--ink))}
        input[type=file]{max-width:100%;font-size:13px}
        ::file-selector-button{min-height:30px;margin-inline-end:10px;padding:3px 12px;border:1px solid var(--edge);
          border-radius:6px;background:var(--ground);color:var(--ink);font:inherit;font-weight:500;cursor:pointer}
        progress{width:100%;height:6px;accent-color:var(--accent)}
        """

    static let charts = """
        .chart figcaption{margin-bottom:8px;font-size:13px;font-weight:500}
        .drawing{position:relative}
        .drawing svg{display:block;width:100%;height:auto;overflow:visible}
        .drawing.narrow{display:none}
        .drawing text,.axis,.label{font-size:11px;fill:var(--muted)}
        .drawing .label{font-weight:500;paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
        rect:is(.f1,.f2,.f3,.f4,.f5){stroke:var(--ground);stroke-width:1}
        [class^=s]:is(polyline,path,line){fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        .s1{stroke:var(--c1)}
        .s2{stroke:var(--c2)}
        .s3{stroke:var(--c3)}
        .s4{stroke:var(--c4)}
        .s5{stroke:var(--c5)}
        .sb{stroke:var(--before);stroke-dasharray:3 4}
        .f1{fill:var(--c1)}
        .f2{fill:var(--c2)}
        .f3{fill:var(--c3)}
        .f4{fill:var(--c4)}
        .f5{fill:var(--c5)}
        .fb{fill:var(--before)}
        .d1{fill:var(--c1)}
        .d2{fill:var(--c2)}
        .d3{fill:var(--c3)}
        .d4{fill:var(--c4)}
        .d5{fill:var(--c5)}
        .label.t1{fill:var(--c1)}
        .label.t2{fill:var(--c2)}
        .label.t3{fill:var(--c3)}
        .label.t4{fill:var(--c4)}
        .label.t5{fill:var(--c5)}
        .label.tb{fill:var(--muted)}
        .grid{stroke:var(--line);stroke-width:1}
        .zero{stroke:var(--edge);stroke-width:1}
        .weekend{fill:var(--soft)}
        .net{fill:none;stroke:var(--ink);stroke-width:2}
        .hit{fill:transparent}
        .hit.on{fill:color-mix(in srgb,var(--ink) 8%,transparent)}
        .tip{position:absolute;z-index:5;top:0;padding:3px 8px;border-radius:6px;background:var(--ink);
          color:var(--ground);font-size:12px;white-space:nowrap;pointer-events:none}
        """
}
