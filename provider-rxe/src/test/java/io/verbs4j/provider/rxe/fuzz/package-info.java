/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The receive path under fire: packets of all kinds, from anybody, to queue pairs of every type and state.
 *
 * <p>There are two generators: {@link io.verbs4j.provider.rxe.fuzz.Forge} knows what the queue pairs expect and stays
 * near it, fast; Jazzer is guided by code coverage and keeps its findings as a corpus.
 */
package io.verbs4j.provider.rxe.fuzz;
