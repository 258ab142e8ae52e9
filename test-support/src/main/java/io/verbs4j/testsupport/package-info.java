/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Support that the tests of all modules share. */
package io.verbs4j.testsupport;
