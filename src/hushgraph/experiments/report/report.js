"use strict";
(() => {
  const tooltip = document.getElementById("tooltip");
  let active = null;

  const hide = () => {
    active?.classList.remove("active");
    active = null;
    tooltip.hidden = true;
  };

  // Every second piece is what follows an underscore: a subscript.
  const typeset = (text) => text.split(/(?<=[εKδ])_(\w)/).map((piece, index) => {
    const node = index % 2 ? document.createElement("sub") : document.createTextNode(piece);
    if (index % 2) node.textContent = piece;
    return node;
  });

  const show = (mark) => {
    if (mark === active) return;
    hide();
    active = mark;
    mark.classList.add("active");
    tooltip.replaceChildren(...typeset(mark.dataset.text));
    tooltip.hidden = false;
    const box = mark.getBoundingClientRect();
    const left = (box.left + box.right - tooltip.offsetWidth) / 2;
    const above = box.top - tooltip.offsetHeight - 8;
    tooltip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - tooltip.offsetWidth - 8))}px`;
    tooltip.style.top = `${above > 8 ? above : box.bottom + 8}px`;
  };

  // A mark that is as wide as the chart is near all along; any other only near its middle.
  const distance = (mark, x, y) => {
    const box = mark.getBoundingClientRect();
    const reach = Math.max(0, box.width / 2 - 10);
    return Math.hypot(Math.max(0, Math.abs(x - (box.left + box.right) / 2) - reach), y - (box.top + box.bottom) / 2);
  };

  const prepare = (svg) => {
    const marks = [...svg.querySelectorAll(".mark")];
    const visible = () => marks.filter((mark) => !mark.classList.contains("off"));
    const nearest = ({ clientX, clientY }) => {
      const near = visible()
        .map((mark) => [distance(mark, clientX, clientY), mark])
        .sort(([one], [other]) => one - other)[0];
      return near && near[0] < 24 ? near[1] : null;
    };
    const follow = (event) => {
      const mark = nearest(event);
      if (mark) show(mark);
      else hide();
    };
    svg.addEventListener("pointermove", follow);
    svg.addEventListener("pointerdown", follow);
    svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const now = visible();
      const next = step && now[now.indexOf(document.activeElement) + step];
      if (step) event.preventDefault();
      if (next) next.focus();
    });
    for (const mark of marks) {
      const title = mark.querySelector("title");
      mark.dataset.text = title.textContent;
      title.remove();
      mark.addEventListener("focus", () => show(mark));
      mark.addEventListener("blur", hide);
    }
    return () => {
      marks.forEach((mark) => mark.setAttribute("tabindex", "-1"));
      visible()[0]?.setAttribute("tabindex", "0");
    };
  };

  for (const chart of document.querySelectorAll(".chart")) {
    const restoreTabStops = [...chart.querySelectorAll(".panels svg")].map(prepare);
    const buttons = [...chart.querySelectorAll(".legend button")];
    const update = () => {
      hide();
      const off = new Set(buttons.filter((button) => button.ariaPressed === "false").map((button) => button.dataset.toggles));
      for (const part of chart.querySelectorAll("[data-line]")) {
        const hidden = off.has(part.dataset.line) || (off.has("published") && part.classList.contains("published"));
        part.classList.toggle("off", hidden);
      }
      restoreTabStops.forEach((restore) => restore());
    };
    for (const button of buttons) {
      button.disabled = false;
      button.addEventListener("click", () => {
        button.ariaPressed = button.ariaPressed === "true" ? "false" : "true";
        update();
      });
    }
    update();
  }

  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("scroll", hide, { passive: true });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  document.documentElement.classList.add("scripted");
})();
