/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.boundaries;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT;
import static com.tngtech.archunit.lang.conditions.ArchConditions.beAssignableTo;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveModifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The rules. Each covers the classes of whole modules, and ignores classes outside the packages that it names. */
final class Boundaries {
    private static final String SPI = "io.verbs4j.spi";
    private static final String SLOTS = "io.verbs4j.slot";
    private static final String HEADER = "io.verbs4j";
    private static final String CORE = "io.verbs4j.core..";
    private static final String PROVIDERS = "io.verbs4j.provider..";
    private static final String TOOLS = "io.verbs4j.tools..";
    private static final String NATIVE_BINDING = "io.verbs4j.rdmacore..";
    private static final String NATIVES = "io.verbs4j.natives..";
    private static final String CALLS = "io.verbs4j.natives.call";
    private static final String MEMORY = "io.verbs4j.natives.memory";
    private static final String RXE = "io.verbs4j.provider.rxe";

    private static final DescribedPredicate<JavaClass> RECORDING = resideInAPackage("jdk.jfr..");

    private static final DescribedPredicate<JavaClass> IN_HEADER = resideInAnyPackage(HEADER, SPI, SLOTS);

    static final ArchRule HEADER_NEEDS_JAVA_BASE_ONLY = classes()
            .that(IN_HEADER)
            .should()
            .onlyDependOnClassesThat(inJavaBase().or(IN_HEADER))
            .as("verbs-spi depends on java.base only");

    static final ArchRule CORE_NEEDS_HEADER_ONLY = classes()
            .that(resideInAPackage(CORE))
            .should()
            .onlyDependOnClassesThat(
                    inJavaBase().or(IN_HEADER).or(resideInAPackage(CORE)).or(RECORDING))
            .as("verbs-core depends on java.base and verbs-spi only, and records if jdk.jfr is present");

    static final ArchRule CORE_PACKAGES_ARE_ORDERED = classes()
            .that(resideInAPackage(CORE))
            .should(new PackageOrder(
                    "io.verbs4j.core",
                    "io.verbs4j.core.discovery",
                    "io.verbs4j.core.verbs",
                    "io.verbs4j.core.base",
                    "io.verbs4j.core.flight"))
            .as("in verbs-core, core depends on discovery, discovery on verbs, and never the other way round");

    static final ArchRule RECORDING_IS_APART = noClasses()
            .that(not(resideInAPackage("..flight")))
            .should()
            .dependOnClassesThat(RECORDING)
            .as("only packages named flight use jdk.jfr, so that none of its classes is loaded elsewhere");

    static final ArchRule PROVIDERS_DO_NOT_KNOW_CORE = noClasses()
            .that(resideInAnyPackage(PROVIDERS, NATIVE_BINDING, NATIVES))
            .should()
            .dependOnClassesThat(resideInAnyPackage(CORE, TOOLS))
            .as("no provider depends on verbs-core or verbs-tools: they meet in verbs-spi");

    static final ArchRule TOOLS_DO_NOT_KNOW_PROVIDERS = noClasses()
            .that(resideInAPackage(TOOLS))
            .should()
            .dependOnClassesThat(resideInAnyPackage(PROVIDERS, NATIVE_BINDING, NATIVES))
            .as("verbs-tools uses no class of a provider: it works with any provider");

    static final ArchRule NATIVES_KNOW_NO_DEVICE = noClasses()
            .that(resideInAPackage(NATIVES))
            .should()
            .dependOnClassesThat(resideInAnyPackage(PROVIDERS, NATIVE_BINDING))
            .as("verbs-native knows nothing of verbs-rdma-core and the providers, which use it");

    static final ArchRule JNA_IS_WHERE_C_IS_CALLED = noClasses()
            .that(not(resideInAnyPackage(CALLS, MEMORY)))
            .should()
            .dependOnClassesThat(resideInAPackage("com.sun.jna.."))
            .as("JNA is for the packages call and memory of verbs-native only");

    /**
     * Calls through a {@code Structure}, a mapped interface or a {@code Function} take about ten times as long, and
     * create garbage.
     */
    static final ArchRule JNA_IS_MAPPED_DIRECTLY = noClasses()
            .that(resideInAPackage(NATIVES))
            .should()
            .dependOnClassesThat(resideInAPackage("com.sun.jna..")
                    .and(not(describe("are of direct mapping", Boundaries::isOfDirectMapping))))
            .orShould(beAssignableTo("com.sun.jna.Library"))
            .orShould()
            .callMethodWhere(describe(
                    "maps an interface",
                    call -> call.getTargetOwner().getName().equals("com.sun.jna.Native")
                            && call.getName().startsWith("load")))
            .as("verbs-native uses JNA's direct mapping: no Structure, no mapped interface, no Function");

    static final ArchRule LAYOUTS_ARE_NUMBERS = noClasses()
            .that(resideInAPackage("io.verbs4j.rdmacore..layout"))
            .should()
            .dependOnClassesThat(not(resideInAnyPackage("io.verbs4j.rdmacore..layout", "java.lang..")))
            .as("in verbs-rdma-core a layout refers to nothing but layouts");

    static final ArchRule UNSAFE_IS_FOR_MEMORY = noClasses()
            .that(not(resideInAPackage(MEMORY)))
            .should()
            .dependOnClassesThat(describe(
                    "are an Unsafe",
                    type -> type.getName().matches("(sun\\.misc|jdk\\.internal\\.misc)\\.Unsafe(\\$.*)?")))
            .as("sun.misc.Unsafe is for the package memory of verbs-native only");

    static final ArchRule RXE_LOWER_LAYERS = noClasses()
            .that(resideInAnyPackage(RXE + ".wire..", RXE + ".link.."))
            .should()
            .dependOnClassesThat(resideInAnyPackage(RXE + ".qp..", RXE + ".port..", RXE + ".packet.."))
            .as("in provider-rxe, wire and link know nothing of qp, port and packet");

    static final ArchRule HEADER_HAS_NO_ENUMS = noClasses()
            .that(IN_HEADER)
            .and(describe("are visible", Boundaries::isVisible))
            .should()
            .beEnums()
            .as("verbs-spi exposes no enum: an older program could meet a value that it can't load");

    static final ArchRule HANDLES_ARE_ABSTRACT = classes()
            .that(IN_HEADER)
            .and(assignableTo("io.verbs4j.VerbsObject").or(assignableTo("io.verbs4j.Device")))
            .should(haveModifier(ABSTRACT))
            .as("each handle of verbs-spi is abstract: providers and the library subclass them");

    /** Classes of the header that others subclass. */
    private static final DescribedPredicate<JavaClass> TO_BE_SUBCLASSED = assignableTo(HEADER + ".VerbsObject")
            .or(assignableTo(HEADER + ".Device"))
            .or(assignableTo(HEADER + ".InputAttr"))
            .or(assignableTo(HEADER + ".OutputAttr"))
            .or(assignableTo(HEADER + ".VerbsException"));

    static final ArchRule NAMES_ON_HANDLES_ARE_THE_HEADERS = classes()
            .that(TO_BE_SUBCLASSED)
            .and(not(IN_HEADER))
            .should(new ReservedNames(IN_HEADER))
            .as("a subclass of a handle, device, attribute class or exception of verbs-spi has no methods but"
                    + " private ones and overrides of the header's: a later header may add one of that name");

    private Boundaries() {}

    private static boolean isOfDirectMapping(JavaClass type) {
        return type.getName()
                .matches("com\\.sun\\.jna\\.(Native|NativeLibrary|Library|SymbolProvider|Platform|Pointer"
                        + "|Callback|CallbackProxy|CallbackReference)");
    }

    private static boolean isVisible(JavaClass type) {
        boolean hidden = type.getModifiers().stream().noneMatch(modifier -> switch (modifier) {
            case PUBLIC, PROTECTED -> true;
            default -> false;
        });
        return !hidden && type.getEnclosingClass().map(Boundaries::isVisible).orElse(true);
    }

    /** The packages that java.base exports to everybody, and the primitive types. */
    private static DescribedPredicate<JavaClass> inJavaBase() {
        Set<String> packages = ModuleFinder.ofSystem().find("java.base").orElseThrow().descriptor().exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
        return describe("are in java.base", type -> {
            JavaClass element = type.getBaseComponentType();
            return element.isPrimitive() || packages.contains(element.getPackageName());
        });
    }
}
