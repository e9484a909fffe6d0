// Adds prices: exact decimal numbers, written as strings.

/** Decimal places of a sum; a price has at most as many. */
const PLACES = 28;

/** A sum of amounts such as `"0.045"`. */
export class Sum {
  units = 0n;

  add(amount) {
    const [whole, fraction = ""] = amount.split(".");
    this.units += BigInt(whole + fraction.padEnd(PLACES, "0"));
  }

  /** The sum with thousands separators and at least two decimal places, without further trailing zeros. */
  toString() {
    const digits = String(this.units).padStart(PLACES + 1, "0");
    const fraction = digits.slice(-PLACES).replace(/0+$/, "").padEnd(2, "0");
    return `${new Intl.NumberFormat("en").format(BigInt(digits.slice(0, -PLACES)))}.${fraction}`;
  }
}
