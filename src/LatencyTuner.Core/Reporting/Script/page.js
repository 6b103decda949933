"use strict";
(function () {
  var data = JSON.parse(document.getElementById("series").textContent);
  var style = getComputedStyle(document.documentElement);
  function color(name) { return style.getPropertyValue(name).trim(); }
  function time(us) {
    if (us === null || us === undefined) { return "no data"; }
    var units = [["s", 1e6], ["ms", 1e3], ["us", 1], ["ns", 1e-3]];
    for (var i = 0; i < units.length; i++) {
      if (Math.abs(us) >= units[i][1] * 0.9995 || i === 3) { return Number((us / units[i][1]).toPrecision(3)) + " " + units[i][0]; }
    }
  }
  function iso(s) { return new Date(s * 1000).toISOString(); }
  data.forEach(function (chart) {
    var figure = document.getElementById(chart.id);
    if (!figure) { return; }
    var holder = document.createElement("div");
    holder.className = "live";
    var buttons = document.createElement("p");
    var hidden = [];
    var all = chart.values.map(function (row) { return row.slice(); });
    var shown = all.map(function (row) { return row.slice(); });
    var said = document.createElement("span");
    said.setAttribute("role", "status");
    function button(text, act) {
      var b = document.createElement("button");
      b.type = "button";
      b.textContent = text;
      b.addEventListener("click", act);
      buttons.appendChild(b);
    }
    var plot = new uPlot({
      width: Math.max(280, figure.clientWidth),
      height: 340,
      scales: { x: { time: chart.clock }, y: { distr: chart.log ? 3 : 1 } },
      tzDate: function (s) { return uPlot.tzDate(new Date(s * 1e3), "Etc/UTC"); },
      axes: [
        { stroke: color("--soft"), grid: { stroke: color("--rule") }, ticks: { stroke: color("--rule") } },
        { stroke: color("--soft"), grid: { stroke: color("--rule") }, ticks: { stroke: color("--rule") }, size: 70,
          values: function (u, values) { return values.map(function (v) { return v === null ? "" : time(v); }); } }
      ],
      series: [{ label: chart.clock ? "UTC" : "s" }].concat(chart.names.map(function (name, i) {
        return { label: name, stroke: color("--c" + [1, 4, 2, 3, 5, 6][i % 6]), width: 1.5, dash: i === 1 ? [5, 4] : [], value: function (u, v) { return time(v); } };
      }))
    }, shown, holder);
    button("Whole time", function () { plot.setScale("x", { min: all[0][0], max: all[0][all[0].length - 1] }); });
    button("Leave out what is shown", function () {
      var x = plot.scales.x;
      hidden.push([x.min, x.max]);
      for (var i = 0; i < shown[0].length; i++) {
        if (shown[0][i] >= x.min && shown[0][i] <= x.max) { for (var k = 1; k < shown.length; k++) { shown[k][i] = null; } }
      }
      plot.setData(shown);
      said.textContent = chart.clock ? hidden.map(function (h) { return "--exclude " + iso(h[0]) + ".." + iso(h[1]); }).join(" ") : "";
    });
    button("Show all again", function () {
      hidden = [];
      shown = all.map(function (row) { return row.slice(); });
      plot.setData(shown);
      said.textContent = "";
    });
    buttons.appendChild(said);
    figure.insertBefore(buttons, figure.children[1] || null);
    figure.insertBefore(holder, buttons.nextSibling);
    window.addEventListener("resize", function () { plot.setSize({ width: Math.max(280, figure.clientWidth), height: 340 }); });
  });
})();
