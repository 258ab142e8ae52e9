/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Numbers that nobody can guess. */
package io.verbs4j.provider.rxe.random;
