/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import java.io.File;
import java.io.IOException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;

/** Generates the classes of constants of a module, and adds them to its sources. */
public final class GenerateMojo extends AbstractMojo {
    private MavenProject project;
    private File tables;
    private File sources;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        try {
            LayoutFolder.generate(tables.toPath(), sources.toPath());
        } catch (LayoutException e) {
            throw new MojoFailureException(e.getMessage(), e);
        } catch (IOException e) {
            throw new MojoExecutionException("could not generate layouts: " + e, e);
        }
        project.addCompileSourceRoot(sources.getPath());
    }
}
