/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.field;

import java.util.ArrayList;
import java.util.List;

/** The kinds of broken providers, each with what the program or the report must say about it. */
final class Kinds {
    private static final String EXTENDED = "public int level() { return 2; } ";
    private static final String ONE_DEVICE =
            "public List<? extends Device> devices() { return Collections.singletonList(DEVICE); } ";

    private final List<Kind> all = new ArrayList<>();

    private Kinds() {}

    static List<Kind> all() {
        Kinds kinds = new Kinds();
        kinds.notLoaded();
        kinds.natives();
        kinds.levels();
        kinds.devices();
        kinds.verbs();
        kinds.jars();
        return kinds.all;
    }

    /** Adds a provider whose body starts with this text, and the words that must be reported. */
    private Kind add(String name, String body, String... words) {
        Kind kind = new Kind(name, body, List.of(words));
        all.add(kind);
        return kind;
    }

    private void notLoaded() {
        add("class missing", "", "set aside", "loading it", "not found", "fix or replace")
                .without("Provider.class");
        add("not a subtype", "", "set aside", "not a subtype").notAProvider();
        add(
                "constructor throws",
                "public Provider() { throw new IllegalStateException(\"oops\"); }",
                "its constructor" + " failed with java.lang.IllegalStateException: oops");
        add(
                "constructor is private",
                "private Provider() {}",
                "a provider needs a public constructor without arguments");
        add(
                "static initialiser fails",
                "static { if (true) throw new IllegalStateException(\"static oops\"); }",
                "its constructor failed with java.lang.IllegalStateException: static oops");
        add(
                "overflows the stack",
                "public Provider() { down(0); } int down(int i) { return down(i + 1) + 1; }",
                "its constructor failed with java.lang.StackOverflowError");
        add(
                        "dependency missing",
                        "public Provider() { new Helper(); } static class Helper {}",
                        "its constructor failed with java.lang.NoClassDefFoundError",
                        "put its dependencies on the path")
                .without("Provider$Helper.class");
        add(
                        "interface misses a method",
                        "",
                        "minimumLibraryLevel() failed with java.lang.AbstractMethodError",
                        "the provider was built for an older header (verbs-spi) than the loaded one",
                        "the header is not at fault",
                        "align the versions of the io.verbs4j jars")
                .againstOlderInterface();
        add("name with capitals", "public String name() { return \"Mlx5\"; }", "its name is 'Mlx5'", "lower-case");
    }

    private void natives() {
        add(
                "native library absent",
                "public Provider() { System.loadLibrary(\"verbs4j-nowhere\"); }",
                "verbs4j-nowhere",
                "install the native library that it needs, for this machine");
        add(
                "native library of another machine",
                "public Provider() { System.load(System.getProperty(\"field.foreign\")); }",
                "its constructor failed with java.lang.UnsatisfiedLinkError",
                "foreign.so",
                "for this machine (" + System.getProperty("os.arch") + ")");
        add(
                "native library is garbage",
                "public List<? extends Device> devices() { System.load(System.getProperty(\"field.garbage\")); return"
                        + " null; }",
                "devices() failed with java.lang.UnsatisfiedLinkError",
                "garbage.so",
                "install the native library");
    }

    private void levels() {
        add(
                "level too old",
                "public int level() { return 0; }",
                "written for level 0",
                "supports providers from level 1");
        add(
                "level too new",
                "public int level() { return 9; } public int minimumLibraryLevel() { return 9; }",
                "library too old: needs level 9",
                "use a newer verbs-core");
        add(
                "newer than the header",
                "public int level() { return 9; }",
                "it was written for level 9, but the loaded header (verbs-spi) is level",
                "put verbs-spi of at least level 9 before it on the path");
        add(
                "minimum above its level",
                "public int minimumLibraryLevel() { return 2; }",
                "it must be 1 to its level, 1");
        add("says level 1 and is extended", init(""), "it reports level 1, but is an ExtendedProvider")
                .extended();
        add(
                        "says level 2 and has nothing of it",
                        EXTENDED + init(""),
                        "open_xrcd EOPNOTSUPP",
                        "provider 'broken' of level 2",
                        "does not have it")
                .extended();
    }

    private static String init(String body) {
        return ONE_DEVICE + "public void initContext(ContextOps o, ContextTable t) { " + body + " } ";
    }

    private static String devices(String body) {
        return "public List<? extends Device> devices() { " + body + " } ";
    }

    private void devices() {
        add("devices() throws", devices("throw new IllegalStateException(\"oops\");"), "devices() failed with", "oops");
        add("devices() returns null", devices("return null;"), "must return an empty list");
        add("a null among the devices", devices("return Arrays.asList(DEVICE, null);"), "contains null");
        add(
                "name of another's device",
                devices("return List.of(new Dev(\"good0\"));"),
                "its device good0 was left out",
                "provider 'good'");
        add(
                "slow to list its devices",
                devices("try { Thread.sleep(700); } catch (InterruptedException e) {} return List.of(DEVICE);"),
                "used, devices [broken0]",
                "slow: waited for");
        add(
                "name of another provider",
                "public String name() { return \"good\"; }",
                "another provider has the name 'good'");
    }

    private void verbs() {
        add(
                "open throws",
                open("throw new IllegalStateException(\"oops\");"),
                "open_device EIO",
                "provider 'broken' failed with java.lang.IllegalStateException: oops",
                "bug in the provider");
        add("open returns null", open("return null;"), "open_device EIO", "provider 'broken' returned null");
        add(
                "negative errno",
                open("throw new VerbsException(-12, \"open_device\", \"none\");"),
                "open_device ENOMEM",
                "reported errno -12");
        add(
                "a verb returns null",
                open("return new ContextOps() { public ProtectionDomain allocPd() { return null; } };"),
                "alloc_pd EIO",
                "returned null");
        add(
                "a verb throws",
                open("return new ContextOps() { public ProtectionDomain allocPd() { throw new"
                        + " AbstractMethodError(\"gone\"); } };"),
                "alloc_pd EIO",
                "AbstractMethodError: gone");
        add(
                        "initContext throws",
                        EXTENDED + init("throw new IllegalStateException(\"oops\");"),
                        "open_device EIO",
                        "oops")
                .extended();
        add(
                        "wrong thing in a slot",
                        EXTENDED + init("t.fillProvider(0, \"nonsense\");"),
                        "put a java.lang.String into the slot of open_xrcd")
                .extended();
        add(
                        "makes what it can't destroy",
                        EXTENDED + init("t.fillProvider(0, (io.verbs4j.slot.OpenXrcd) a -> null);"),
                        "has open_xrcd but not close_xrcd")
                .extended();
        add(
                        "a slot throws",
                        EXTENDED + xrcd("throw new IllegalStateException(\"oops\");"),
                        "open_xrcd EIO",
                        "provider 'broken' failed with",
                        "oops")
                .extended();
        add("a slot returns null", EXTENDED + xrcd("return null;"), "open_xrcd EIO", "returned null")
                .extended();
    }

    private static String open(String body) {
        return ONE_DEVICE + "public ContextOps openDevice(Device d, Context c) { " + body + " } ";
    }

    private static String xrcd(String body) {
        return init("t.fillProvider(0, (io.verbs4j.slot.OpenXrcd) a -> { " + body + " });"
                + " t.fillProvider(1, (io.verbs4j.slot.CloseXrcd) x -> {});");
    }

    private void jars() {
        add("services file with garbage", "", "META-INF/services", "Illegal")
                .services("no class name".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        add("services file in another encoding", "", "META-INF/services", "Illegal")
                .services("broken.Provider".getBytes(java.nio.charset.StandardCharsets.UTF_16));
        add("class file is garbage", "", "ClassFormatError", "download the provider's jar again")
                .replacing(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        add(
                        "class file of a newer Java",
                        "",
                        "UnsupportedClassVersionError",
                        "built for a newer Java than this one, " + System.getProperty("java.specification.version"))
                .ofNewerJava();
        add("manifest is garbage", "", "set aside", "whose manifest may be damaged")
                .manifest("Manifest-Version 1.0\n\n");
    }
}
