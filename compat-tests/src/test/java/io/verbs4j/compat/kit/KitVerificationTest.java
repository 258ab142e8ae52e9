/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.testsupport.Extent;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kit finds defects: a mutant of the model breaks each rule, and no other. To check that no other rule is broken,
 * each mutant runs the rules of the same chapter and a sample of the rest, or every rule with {@link #EVERY_RULE}.
 */
class KitVerificationTest {
    /** Whether every rule runs on every mutant. */
    static final boolean EVERY_RULE = Extent.isHours();

    /** One in this many rules of other chapters runs. */
    private static final int SAMPLE = 60;

    static List<Method> rules() {
        return Arrays.stream(ProviderKit.class.getMethods())
                .filter(m -> m.isAnnotationPresent(Rule.class))
                .toList();
    }

    private static List<String> ids() {
        return rules().stream().map(m -> m.getAnnotation(Rule.class).id()).toList();
    }

    @Test
    void modelKeepsEveryRule() throws Exception {
        KitRun run = KitRun.of(Map.of());

        assertThat(run.failed()).isEmpty();
        assertThat(run.skipped()).isEmpty();
        assertThat(run.passed().keySet()).containsExactlyInAnyOrderElementsOf(ids());
    }

    /** {@return all mutants, or the first of each chapter for the short command} */
    static Collection<Fault> mutants() {
        List<Fault> all = List.of(Fault.values());
        Map<String, Fault> first = new TreeMap<>();
        all.forEach(fault -> first.putIfAbsent(chapter(fault.rule), fault));
        return Extent.isFull() ? all : first.values();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void mutantBreaksOnlyItsRule(Fault fault) throws Exception {
        Map<String, String> model = Map.of(Fault.PROPERTY, fault.name());
        KitRun run = KitRun.of(model, some(fault));

        assertThat(run.failed().keySet()).as("%s", run.failed()).isEqualTo(fault.rules());
        assertThat(run.failed().get(fault.rule))
                .startsWith("rule " + fault.rule + " is broken: ")
                .contains("\n  seen: ")
                .contains(fault.words)
                .contains("\n  look at: ")
                .contains("\n  described in: ")
                .contains("\n  binds: providers written for level ");
        assertThat(run.skipped().values()).allMatch(reason -> reason.length() > 20);
    }

    /** {@return the rules that run on a mutant: the chapters in which it breaks a rule, and a sample of the others} */
    static Predicate<String> some(Fault fault) {
        Set<String> chapters =
                fault.rules().stream().map(KitVerificationTest::chapter).collect(Collectors.toSet());
        return oneOf(SAMPLE, fault).or(id -> chapters.contains(chapter(id)));
    }

    /** {@return one in this many rules, different for each enum constant, or all rules if required} */
    static Predicate<String> oneOf(int many, Enum<?> whom) {
        List<String> all = ids().stream().sorted().toList();
        return id -> EVERY_RULE || Math.floorMod(all.indexOf(id) + whom.name().hashCode(), many) == 0;
    }

    private static String chapter(String id) {
        return id.substring(0, id.indexOf('.'));
    }

    @Test
    void everyRuleHasMutantAndUniqueNumber() {
        assertThat(Arrays.stream(Fault.values()).map(f -> f.rule).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(ids());
        assertThat(ids()).doesNotHaveDuplicates();
    }

    /** Rules that existed when a level was released bind its providers; later ones do not. */
    @Test
    void everyRuleNamesFirstBindingLevel() {
        assertThat(rules()).allSatisfy(m -> {
            Rule rule = m.getAnnotation(Rule.class);
            int chapter = Integer.parseInt(chapter(rule.id()).substring(1));
            boolean first =
                    chapter <= 11 && !Set.of("R2.22", "R7.13", "R9.08", "R9.09").contains(rule.id());
            assertThat(rule.since()).as(rule.id()).isEqualTo(first ? 1 : chapter < 23 ? 3 : 4);
        });
    }

    /** This way, the names that a build prints contain the number too. */
    @Test
    void everyMethodStartsWithItsNumber() {
        assertThat(rules()).allSatisfy(m -> {
            String number = m.getAnnotation(Rule.class).id().replaceAll("[^0-9]", "");
            assertThat(m.getName()).startsWith("r" + number);
        });
    }
}
