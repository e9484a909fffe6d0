// Sums of prices: exact decimals, as text.

/** Decimal places of the sums, at least those of a price. */
const PLACES = 28;

/** A sum of amounts such as `"0.045"`. */
export class Sum {
  units = 0n;

  add(amount) {
    const [whole, fraction = ""] = amount.split(".");
    this.units += BigInt(whole + fraction.padEnd(PLACES, "0"));
  }

  /** With separators of thousands, without zeros at the end beyond two decimal places. */
  toString() {
    const digits = String(this.units).padStart(PLACES + 1, "0");
    const fraction = digits.slice(-PLACES).replace(/0+$/, "").padEnd(2, "0");
    return `${new Intl.NumberFormat("en").format(BigInt(digits.slice(0, -PLACES)))}.${fraction}`;
  }
}
