/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;

/**
 * Checks the claims of Java constants by a C compiler.
 *
 * @param everything all claims, for any release
 * @param atLeast least number of claims for each release, so that none gets lost
 */
public record Oracle(List<Claim> everything, int atLeast) {
    /** Wrong values, of small and large differences. */
    private static final List<LongUnaryOperator> FLIPS =
            List.of(value -> value ^ 1, value -> value + 4, value -> -value - 1);

    /** {@return the oracle for a package of layouts and one of constants} */
    public static Oracle of(Class<?> oneLayout, ConstantRules constants, int atLeast) {
        List<Claim> claims = new ArrayList<>(LayoutClaims.all(oneLayout));
        claims.addAll(constants.all());
        return new Oracle(List.copyOf(claims), atLeast);
    }

    /** {@return this oracle, with another package of layouts} */
    Oracle and(Class<?> oneLayout) {
        List<Claim> claims = new ArrayList<>(everything);
        claims.addAll(LayoutClaims.all(oneLayout));
        return new Oracle(List.copyOf(claims), atLeast);
    }

    /** {@return the claims that apply to a release of rdma-core} */
    List<Claim> claims(int release) {
        return everything.stream().filter(claim -> claim.isAbout(release)).toList();
    }

    static Gcc.Answer ask(Gcc gcc, Headers headers, List<Claim> claims) {
        StringBuilder source = includes(claims);
        claims.forEach(claim -> source.append(claim.toC("#warning elsewhere: " + claim.name() + "\n")));
        return gcc.compile(source.toString(), headers);
    }

    private static StringBuilder includes(List<Claim> claims) {
        Set<String> headers = new TreeSet<>(Set.of("stddef.h"));
        claims.forEach(claim -> headers.add(claim.header()));
        StringBuilder source = new StringBuilder();
        headers.forEach(header -> source.append("#include <").append(header).append(">\n"));
        return source;
    }

    /** {@return the claims whose expression the compiler does not understand} */
    static List<String> withoutMeaning(Gcc gcc, Headers headers, List<Claim> claims) {
        StringBuilder source = includes(claims);
        for (int i = 0; i < claims.size(); i++) {
            // Makes an error start with the name of the claim.
            source.append("#line 1 \"").append(claims.get(i).name()).append("\"\n");
            source.append("long value")
                    .append(i)
                    .append(" = ")
                    .append(claims.get(i).expression())
                    .append(";\n");
        }
        List<String> errors = gcc.compile(source.toString(), headers).other();
        return claims.stream()
                .map(Claim::name)
                .filter(name -> errors.stream().anyMatch(line -> line.startsWith(name + ":1:")))
                .toList();
    }

    /** Asserts that a release lacks everything that came later. */
    public void assertLaterIsMissing(Gcc gcc, Headers headers) {
        List<Claim> later = everything.stream()
                .filter(claim -> claim.isNew() && claim.since() > headers.release())
                .toList();
        assertThat(withoutMeaning(gcc, headers, later))
                .containsExactlyElementsOf(later.stream().map(Claim::name).toList());
    }

    /** Asserts that every claim about a release is true. */
    public void assertAllHold(Gcc gcc, Headers headers) {
        List<Claim> claims = claims(headers.release());
        assertThat(claims).as("claims about release %s", headers.release()).hasSizeGreaterThan(atLeast);
        Gcc.Answer answer = ask(gcc, headers, claims);
        assertThat(answer.other()).as("errors that no claim explains").isEmpty();
        assertThat(answer.refused())
                .as("claims that %s refuses for release %s", gcc, headers.release())
                .isEmpty();
    }

    /** Asserts that every claim fails by name with any other value, so that none is without effect. */
    public void assertEachCounts(Gcc gcc, Headers headers) {
        List<Claim> claims = claims(headers.release());
        List<String> here = new ArrayList<>(claims.stream().map(Claim::name).toList());
        assertThat(here).doesNotHaveDuplicates();
        here.removeAll(ask(gcc, headers, claims).elsewhere());
        for (LongUnaryOperator flip : FLIPS) {
            List<Claim> wrong = claims.stream()
                    .map(claim -> claim.withValue(flip.applyAsLong(claim.value())))
                    .toList();
            Gcc.Answer answer = ask(gcc, headers, wrong);
            assertThat(answer.other()).as("errors that no claim explains").isEmpty();
            assertThat(answer.refused()).containsExactlyInAnyOrderElementsOf(here);
        }
    }
}
