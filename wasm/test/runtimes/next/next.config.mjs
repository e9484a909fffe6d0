// On the server Next gives the address in the page for a file of a package, unless the package stays outside its bundle.
export default { serverExternalPackages: ["cpaas"] };
